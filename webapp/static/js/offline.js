// The page for no network: says what is kept, and goes on by itself.

document.querySelector("[data-kept]").hidden = !localStorage.getItem("unsent changes");
document.querySelector("[data-again]").href = location.href;
window.addEventListener("online", () => location.reload());
