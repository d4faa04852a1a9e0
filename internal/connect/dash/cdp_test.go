package dash

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// browser is a Chromium without a window that a test drives by the DevTools protocol, over two pipes.
type browser struct {
	t       *testing.T
	to      *os.File
	session string
	failed  func() string // what Chromium printed

	mu      sync.Mutex
	number  int
	answers map[int]chan answer
	events  []browserEvent
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// browserEvent is what the browser reports by itself.
type browserEvent struct {
	Method string
	Params json.RawMessage
}

// openBrowser starts Chromium, or skips the test where it is missing and not demanded.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	level.SkipIfQuick(t)
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" || level.All() {
			t.Fatal("chromium is missing; install the package chromium")
		}
		t.Skip("chromium is missing: the page is not opened; install the package chromium")
	}
	folder, err := os.MkdirTemp("", "dash") // not t.TempDir: a late process of Chromium may still write into it
	if err != nil {
		t.Fatal(err)
	}
	orders, to := pipe(t)
	from, reports := pipe(t)
	var console bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+folder)
	cmd.ExtraFiles, cmd.Stderr, cmd.WaitDelay = []*os.File{orders, reports}, &console, 10*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	orders.Close()
	reports.Close()
	b := &browser{t: t, to: to, answers: map[int]chan answer{}, failed: console.String}
	go b.listen(from)
	t.Cleanup(func() {
		fmt.Fprint(to, `{"id":-1,"method":"Browser.close"}`, "\x00")
		to.Close()
		cmd.Wait()
		from.Close()
		os.RemoveAll(folder)
	})
	return b
}

func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return read, write
}

// listen takes answers and events, each of which ends with a byte 0.
func (b *browser) listen(from *os.File) {
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID int
			answer
			browserEvent
		}
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if m.ID == 0 {
			b.events = append(b.events, m.browserEvent)
		} else if c := b.answers[m.ID]; c != nil {
			c <- m.answer
		}
		b.mu.Unlock()
	}
}

// call calls a method of the protocol and decodes its result, unless into is nil.
func (b *browser) call(method string, params, into any) error {
	b.mu.Lock()
	b.number++
	id, c := b.number, make(chan answer, 1)
	b.answers[id] = c
	b.mu.Unlock()
	if params == nil {
		params = struct{}{}
	}
	order := map[string]any{"id": id, "method": method, "params": params}
	if b.session != "" {
		order["sessionId"] = b.session
	}
	text, err := json.Marshal(order)
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case a := <-c:
		if a.Error != nil {
			return errors.New(method + ": " + a.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(a.Result, into)
	case <-time.After(2 * time.Minute):
		return fmt.Errorf("%s: chromium does not answer", method)
	}
}

// must is call for methods that do not fail.
func (b *browser) must(method string, params, into any) {
	b.t.Helper()
	if err := b.call(method, params, into); err != nil {
		b.t.Fatalf("%v\n%s", err, b.failed())
	}
}

// open shows a page in a new tab of a size [px].
func (b *browser) open(url string, width, height int) {
	b.t.Helper()
	if b.session != "" {
		b.must("Page.close", nil, nil)
	}
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	b.session = ""
	var target struct{ TargetID string }
	b.must("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.must(domain+".enable", nil, nil)
	}
	b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.must("Page.navigate", map[string]any{"url": url}, nil)
}

// run returns the value of an expression in the page.
func run[T any](b *browser, script string) (value T) {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.must("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", script, got.ExceptionDetails)
	}
	if got.Result.Value == nil {
		return value
	}
	if err := json.Unmarshal(got.Result.Value, &value); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return value
}

// picture writes a picture of the window, if RIG_PICTURES names a folder for it.
func (b *browser) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("RIG_PICTURES")
	if folder == "" {
		return
	}
	var shot struct{ Data string }
	b.must("Page.captureScreenshot", nil, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), data, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// take returns all events of a kind so far.
func (b *browser) take(method string) (found []json.RawMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.Method == method {
			found = append(found, e.Params)
		}
	}
	return found
}
