// What a tour of the table measures on a page, as it lies on the screen.

(() => {
  const round = (v) => Math.round(v * 10) / 10;

  /** The part of an element's box that is not clipped by what it scrolls in, nor by the window. */
  function clip(element) {
    const area = { l: 0, t: 0, r: innerWidth, b: innerHeight };
    for (let e = element; e && e !== document.documentElement; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.position === "fixed") break;
      if (e !== element && !/visible/.test(style.overflow)) {
        const b = e.getBoundingClientRect();
        Object.assign(area, {
          l: Math.max(area.l, b.left), t: Math.max(area.t, b.top),
          r: Math.min(area.r, b.right), b: Math.min(area.b, b.bottom),
        });
      }
    }
    return area;
  }

  /** Whether an element is drawn; Chromium tells of drawings in a group that is not, unless asked for boxes. */
  const shown = (element) => element.getClientRects().length > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** Whether something else lies on a piece of text: a drawing's own parts do not count. */
  function covered(element, [l, t, r, b]) {
    const top = document.elementFromPoint((l + r) / 2, (t + b) / 2);
    if (!top || top.contains(element) || element.contains(top)) return false;
    return !(element instanceof SVGElement && top.closest("svg") === element.closest("svg"));
  }

  /** Size of type in pixels on the screen: that of the letters, less than the height of their box. */
  function size(element) {
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    return parseFloat(getComputedStyle(element).fontSize) * scale;
  }

  /** Every piece of text in sight: text, size in pixels, box, colour, class, what it belongs to. */
  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      if (!node.textContent.trim() || !element || element.closest(".unseen, .skip") || /^(script|style|title|desc|option|textarea)$/i.test(element.localName) || !shown(element)) continue;
      range.selectNodeContents(node);
      const area = clip(element);
      for (const b of range.getClientRects()) {
        const inside = [Math.max(b.left, area.l), Math.max(b.top, area.t), Math.min(b.right, area.r), Math.min(b.bottom, area.b)];
        if (inside[2] - inside[0] < 3 || inside[3] - inside[1] < 3 || covered(element, inside)) continue;
        const drawn = element instanceof SVGElement;
        const style = getComputedStyle(element);
        found.push({
          text: node.textContent.trim().slice(0, 40), px: round(size(element)), box: inside.map(round),
          whole: [b.left, b.top, b.right, b.bottom].map(round), drawn,
          color: drawn ? style.fill : style.color, css: element.getAttribute("class") ?? element.localName,
          of: element.closest("[id]")?.id ?? "", layer: element.closest("#spot, #card, dialog, .map-tools, .panes") ? 1 : element.closest(".grid tbody th, thead") ? 2 : 0,
        });
      }
    }
    return found;
  }

  /** Boxes whose text is cut off with no way to see the rest, or only sideways in what one reads first. */
  function cut() {
    return [...document.querySelectorAll("body *")].filter((e) => {
      if (e instanceof SVGElement || !e.clientWidth || !e.textContent.trim() || !shown(e)) return false;
      const style = getComputedStyle(e);
      const wide = e.scrollWidth > e.clientWidth + 1 && (e.id === "panel-now" || /hidden|clip/.test(style.overflowX));
      const high = e.scrollHeight > e.clientHeight + 3 && /hidden|clip/.test(style.overflowY);
      return (wide || high) && !e.closest(".unseen, .skip") && e.clientHeight > 2;
    }).map((e) => `${e.className || e.id || e.localName}: ${e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`);
  }

  /** Lists to choose from whose arrow lies on their text. */
  function narrow() {
    const room = (e) => parseFloat(getComputedStyle(e).paddingRight) / parseFloat(getComputedStyle(e).fontSize);
    return [...document.querySelectorAll("select")].filter((e) => shown(e) && room(e) < 1.2)
      .map((e) => `select ${e.name}: ${e.selectedOptions[0]?.textContent} under its arrow`);
  }

  /** What a button does: its form and what it sends, or what scripts know it by. */
  function deed(button) {
    const { form } = button;
    if (!form || button.type === "button") return JSON.stringify({ ...button.dataset, at: button.getAttribute("href") ?? button.getAttribute("hx-get"), of: button.closest("form")?.elements.action?.value });
    const sent = [...form.elements].filter((e) => e.name && !/csrf|version/.test(e.name) && e !== button);
    const values = sent.map((e) => `${e.name}=${e.options ? [...e.options].map((o) => o.value).join("|") : e.type === "radio" ? e.value : e.defaultValue}`);
    return [form.getAttribute("action"), values.join("|").replaceAll("|action=", "|"), button.value].join("&");
  }

  /** Buttons that read the same and do something else. */
  function alike() {
    const found = new Map();
    for (const button of document.querySelectorAll("button, a.button, input[type=submit]")) {
      if (!button.getClientRects().length) continue;
      const name = (button.getAttribute("aria-label") ?? button.textContent).trim().replace(/\s+/g, " ");
      found.set(name, (found.get(name) ?? new Set()).add(deed(button)));
    }
    return [...found].filter(([, deeds]) => deeds.size > 1).map(([name, deeds]) => `${deeds.size} × ${name}: ${[...deeds].slice(0, 2).join(" // ").slice(0, 300)}`);
  }

  /** The share of an element's drawing that is in sight. */
  function inSight(css) {
    const element = document.querySelector(css);
    if (!element || !shown(element)) return null;
    const b = element.getBoundingClientRect();
    const area = clip(element);
    const w = Math.max(0, Math.min(b.right, area.r) - Math.max(b.left, area.l));
    const h = Math.max(0, Math.min(b.bottom, area.b) - Math.max(b.top, area.t));
    return b.width && b.height ? round((w * h) / (b.width * b.height) * 100) / 100 : 0;
  }

  /** Names of the map left out or shortened, and how many there are. */
  function names() {
    const { left = "[]", cut: short = "[]" } = document.querySelector(".map-pane")?.dataset ?? {};
    return {
      all: document.querySelectorAll(".rh-hex > .rh-names").length,
      left: JSON.parse(left).filter((one) => "name" in one), short: JSON.parse(short),
    };
  }

  /** Names of a legend that come to lie at the next one's swatch. */
  function legend() {
    const zones = [...document.querySelectorAll(".rh-legend > g")].filter(shown);
    return zones.slice(1).flatMap((zone, n) => {
      const name = zones[n].querySelector("text").getBoundingClientRect();
      const swatch = zone.querySelector("rect").getBoundingClientRect();
      const beside = Math.abs(swatch.bottom - name.bottom) < name.height;
      return beside && swatch.left - name.right < 3 ? [zones[n].textContent] : [];
    });
  }

  window.measured = () => ({
    texts: texts(), cut: [...cut(), ...narrow()], alike: alike(), names: names(), legend: legend(), market: inSight("#panel-market svg"), map: inSight("#panel-map svg"),
    wide: document.documentElement.scrollWidth - innerWidth, view: document.getElementById("columns")?.dataset.view,
  });

  /** The colour a piece of text lies on: of the common ones in its box the one farthest from its own;
   * those between are the edges of its letters. */
  window.grounds = async (png, boxes, colors, ratio) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    return boxes.map(([left, t, right, b], n) => {
      const [l, r] = [left - 1.5, right + 1.5]; // a narrow letter has hardly any ground in its box
      const { data } = pen.getImageData(l * ratio, t * ratio, Math.max(1, (r - l) * ratio), Math.max(1, (b - t) * ratio));
      const counts = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const key = [data[i], data[i + 1], data[i + 2]].map((v) => Math.round(v / 6) * 6).join();
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const far = (c) => Math.max(...c.map((v, i) => Math.abs(v - colors[n][i])));
      const all = [...counts].map(([key, count]) => [key.split(",").map(Number), count]).filter(([c]) => far(c) > 24);
      const most = Math.max(...all.map(([, count]) => count));
      const common = all.filter(([, count]) => count >= 0.5 * most).map(([c]) => c);
      return common.reduce((a, b) => (far(b) > far(a) ? b : a), colors[n]);
    });
  };
})();
