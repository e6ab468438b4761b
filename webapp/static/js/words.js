// What scripts say, in the language of the page. The words stand here and there in English, which needs nothing more; a
// page in another language brings along what its scripts may say.

const brought = document.getElementById("words-of-scripts");
const words = brought ? JSON.parse(brought.textContent) : {};

export function say(template, values = {}) {
  return (words[template] ?? template).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}
