// Names as a cartographer writes them: in lines, then shortened, never to fewer than four letters.

const VOWELS = /[aeiouyäöüéèáóíú]/i;

/** Words in a line; what a hyphen parts stays one. */
const joined = (words) => words.join(" ").replace(/([-/]) /g, "$1");

/** The ways to part words into at most three lines, about equally long. */
function inLines(words, most = 3) {
  const ways = [[joined(words)]];
  if (words.length < 2) return ways;
  for (let count = 2; count <= Math.min(most, words.length); count += 1) ways.push(even(words, count));
  return ways;
}

function even(words, count) {
  const total = words.join(" ").length / count;
  const rows = [[]];
  for (const word of words) {
    const row = rows.at(-1);
    const long = [...row, word].join(" ").length;
    const left = count - rows.length;
    if (row.length && left && long - total > total - row.join(" ").length) rows.push([word]);
    else row.push(word);
  }
  return rows.map(joined);
}

/** A word cut before a vowel, the next shorter first. */
function* cuts(word) {
  for (let at = word.length - 2; at >= 4; at -= 1) {
    if (!VOWELS.test(word[at - 1]) && word[at - 1] !== "." && word[at - 1] !== "-") {
      yield `${word.slice(0, at)}.`;
    }
  }
}

/** All ways to write a name, the fullest first: lines and how much is missing. */
export function* ways(name) {
  const words = name.replace(/([-/])(?=\S{3})/g, "$1 ").split(/\s+/);
  const glued = words.reduce((all, w) => {
    if (w === "&" && all.length) all[all.length - 1] += " &";
    else all.push(w);
    return all;
  }, []);
  for (const rows of inLines(glued)) yield { rows, missing: 0 };
  let short = glued;
  for (let step = 0; step < 12; step += 1) {
    const longest = short.reduce((a, w, n) => (w.length > short[a].length ? n : a), 0);
    const next = cuts(short[longest].replace(/[.]$/, "")).next().value;
    if (!next) return;
    short = short.map((w, n) => (n === longest ? next : w));
    for (const rows of inLines(short)) yield { rows, missing: name.length - short.join(" ").length };
  }
}
