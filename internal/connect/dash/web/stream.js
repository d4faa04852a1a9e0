// The stream of events, which is opened again whenever it ends, and the token.

const storageKey = "rig-token";
const silence = 5000;                  // without any data the connection counts as lost [ms]
const pauses = [500, 1000, 2000, 4000]; // before each new attempt [ms]

// takeToken returns the token of this page. A new one comes in the address, behind #token=, and is removed from there.
export function takeToken() {
  const found = /^#token=([a-z2-7]+)$/.exec(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname);
  try {
    if (found) localStorage.setItem(storageKey, found[1]);
    return found ? found[1] : localStorage.getItem(storageKey);
  } catch {
    return found ? found[1] : null; // storage is switched off
  }
}

// forgetToken removes a token that the rig does not know.
export function forgetToken() {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // storage is switched off
  }
}

// Parser splits the text of a stream into events, wherever it was cut.
class Parser {
  #rest = "";

  // push takes the next part and returns the events that are complete: [name, data].
  push(text) {
    const parts = (this.#rest + text).split("\n\n");
    this.#rest = parts.pop();
    return parts.map(part => {
      const at = part.indexOf("\ndata: ");
      return [part.slice("event: ".length, at), JSON.parse(part.slice(at + "\ndata: ".length))];
    });
  }
}

// Stream reads /events while the page can be seen. A hidden page holds no connection, because browsers allow only a
// few to one server, and an order needs one.
export class Stream {
  token = takeToken();
  #handlers;
  #abort = null;
  #failures = 0;

  // handlers has a function for each event, and onLink(isUp, text), which is called when the connection changes.
  constructor(handlers) {
    this.#handlers = handlers;
    document.addEventListener("visibilitychange", () => document.hidden ? this.pause() : this.open());
    document.addEventListener("free-connection", () => {
      this.pause();
      setTimeout(() => this.open(), 2000);
    });
    window.addEventListener("hashchange", () => {
      this.token = takeToken();
      this.pause();
      this.open();
    });
    this.open();
  }

  // open begins to read, unless it does already.
  async open() {
    if (this.#abort || document.hidden) return;
    const abort = this.#abort = new AbortController();
    while (!abort.signal.aborted) {
      const why = await this.#read(abort);
      if (abort.signal.aborted) return;
      this.#handlers.onLink(false, why);
      await new Promise(done => setTimeout(done, pauses[Math.min(this.#failures++, pauses.length - 1)]));
    }
  }

  // pause ends the connection until open is called.
  pause() {
    this.#abort?.abort();
    this.#abort = null;
  }

  // read reads one connection until it ends, it is silent or owner is aborted, and returns why it ended.
  async #read(owner) {
    const connection = new AbortController(), end = () => connection.abort();
    let watchdog = setTimeout(end, silence);
    owner.signal.addEventListener("abort", end);
    try {
      const answer = await fetch("events", { headers: this.#headers(), signal: connection.signal, cache: "no-store" });
      if (!answer.ok) return await this.#refused(answer);
      const parser = new Parser(), reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return "connection closed; reconnecting";
        clearTimeout(watchdog);
        watchdog = setTimeout(end, silence);
        this.#failures = 0;
        for (const [name, data] of parser.push(value)) this.#handlers[name]?.(data);
      }
    } catch {
      return "rig not reached; reconnecting";
    } finally {
      clearTimeout(watchdog);
      owner.signal.removeEventListener("abort", end);
      end();
    }
  }

  #headers() {
    return this.token ? { Authorization: "Bearer " + this.token } : {};
  }

  // refused returns the server's reason. A token that it does not know is forgotten: the page may be readable without.
  async #refused(answer) {
    if (answer.status === 401 && this.token) {
      this.token = null;
      forgetToken();
    }
    return (await answer.text()).trim();
  }
}
