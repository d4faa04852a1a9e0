// The stop button. It stands alone, in a form of JavaScript that old browsers know, so that it works whatever happens
// to the rest of the page.
(function () {
  "use strict";
  var button = document.getElementById("stop"), alert = document.getElementById("alert");
  var attempts = 5, patience = 1000; // [ms] for each attempt
  var isBusy = false, pressed = -Infinity;

  // post orders the emergency stop once. Its promise fails if the rig does not confirm in time.
  function post() {
    return new Promise(function (done, failed) {
      setTimeout(function () { failed(new Error("rig not reached")); }, patience);
      fetch("stop", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", cache: "no-store", keepalive: true }).then(function (answer) {
        return answer.ok ? done() : answer.text().then(function (text) { failed(new Error(text.trim())); });
      }).catch(function () { failed(new Error("rig not reached")); });
    });
  }

  // tryToStop orders the emergency stop until the rig confirms it. After a failure the page gives up its stream, in case
  // the browser has no other connection left.
  function tryToStop(left) {
    return post().catch(function (failure) {
      if (left <= 1) throw failure;
      document.dispatchEvent(new Event("free-connection"));
      return new Promise(function (done) { setTimeout(done, 100); }).then(function () { return tryToStop(left - 1); });
    });
  }

  function show(text, failure) {
    button.textContent = text;
    alert.textContent = failure;
    alert.hidden = !failure;
  }

  function stop() {
    if (isBusy) return;
    isBusy = true;
    show("Stop …", "");
    tryToStop(attempts).then(function () {
      show("Stop sent", "");
    }, function (failure) {
      show("Stop", "STOP NOT SENT: " + failure.message + ". Press the emergency stop switch.");
    }).then(function () {
      isBusy = false;
      setTimeout(function () { if (!isBusy) button.textContent = "Stop"; }, 1500);
    });
  }

  button.addEventListener("pointerdown", function (event) {
    if (event.button !== 0) return;
    pressed = event.timeStamp;
    stop();
  });
  button.addEventListener("click", function (event) { // by the keyboard or a screen reader
    if (event.timeStamp - pressed > 1000) stop();
  });
  button.disabled = false;
})();
