// Runs before anything is painted: where there is a reveal to be watched, the result stays hidden for its time. Without
// this file, or where motion is not wanted, the result stands there at once.

(function () {
  const { once, left } = document.currentScript.dataset;
  const root = document.documentElement;
  let seen = false;
  try {
    seen = Boolean(once && sessionStorage.getItem(once));
  } catch (fault) {
    // no storage: it is watched again
  }
  if (seen || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  root.classList.add("showing");
  setTimeout(() => root.classList.remove("showing"), Number(left) + 4000); // whatever happens to the other scripts
})();
