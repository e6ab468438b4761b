// The page for no network: says what is kept, and goes on by itself.

document.querySelector("[data-kept]").hidden = !localStorage.getItem("unsent changes");
document.querySelector("[data-again]").href = location.href;
window.addEventListener("online", () => location.reload());

// A network that is back is not always announced, nor at once of any use: a television after a power cut comes back by
// itself.
async function checkServer() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    setTimeout(checkServer, 3000);
  }
}
if (!location.pathname.endsWith("/offline")) setTimeout(checkServer, 3000); // there, this page is what was asked for
