// Asking a browser to show what is pushed to it.

const button = document.querySelector("[data-push]");
const says = document.querySelector("[data-push-says]");

const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** The browser's name, as its owner would say it. */
function name() {
  const brands = navigator.userAgentData?.brands?.map(({ brand }) => brand).filter((b) => !/not/i.test(b)) ?? [];
  const brand = brands.at(-1) ?? (/firefox/i.test(navigator.userAgent) ? "Firefox" : "a browser");
  return `${brand} on ${navigator.userAgentData?.platform || navigator.platform || "a device"}`;
}

async function subscribe() {
  if (!("serviceWorker" in navigator && "PushManager" in window)) throw new Error("This browser cannot; on a phone, put the site on the home screen first.");
  if (await Notification.requestPermission() !== "granted") throw new Error("The browser was told not to show notices of this site.");
  await navigator.serviceWorker.register("/worker.js");
  const worker = await navigator.serviceWorker.ready;
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(button.dataset.push) });
  const answer = await fetch(button.dataset.to, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token(), Accept: "application/json" },
    body: JSON.stringify({ ...found.toJSON(), name: name() }),
  });
  if (!answer.ok) throw new Error((await answer.json()).message);
}

button?.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await subscribe();
    location.reload();
  } catch (fault) {
    says.textContent = fault.message;
    button.disabled = false;
  }
});
