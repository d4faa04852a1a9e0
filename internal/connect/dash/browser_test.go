package dash

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// driving lets the fake rig drive in real time until the test ends, after a history of 20 s.
func driving(t *testing.T, s *testServer) {
	for i := range historyLength + 1 {
		s.source.driveTo(40 + 0.04*float64(i))
		s.hub.sample(time.Duration(i-historyLength) * 40 * time.Millisecond)
		s.hub.publish()
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for begin := time.Now(); ; time.Sleep(2 * time.Millisecond) {
			select {
			case <-stop:
				return
			default:
				s.source.driveTo(60 + time.Since(begin).Seconds())
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-ended })
}

// waitFor waits until a condition in the page is true.
func (b *browser) waitFor(condition string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); !run[bool](b, condition); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("after a minute still not %s; the page says %s; its console %s", condition, run[string](b, "document.body?.innerText ?? ''"), b.take("Runtime.exceptionThrown"))
		}
	}
}

// check checks what must hold in every page: nothing is wider than the window, nothing failed, and only the rig was asked.
func (b *browser) check(address, name string, width int) {
	b.t.Helper()
	if w := run[int](b, "document.documentElement.scrollWidth"); w > width {
		b.t.Errorf("%s: the page is %d px wide in a window of %d px: %s", name, w, width, run[string](b, widest))
	}
	for _, e := range b.take("Network.requestWillBeSent") {
		var sent struct{ Request struct{ URL string } }
		if err := json.Unmarshal(e, &sent); err != nil || !strings.HasPrefix(sent.Request.URL, "http://"+address+"/") {
			b.t.Errorf("asked for %s: %v", sent.Request.URL, err)
		}
	}
	for _, kind := range []string{"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"} {
		for _, e := range b.take(kind) {
			b.t.Errorf("%s: %s", kind, e)
		}
	}
	if cut := run[[]string](b, cutOff); len(cut) > 0 {
		b.t.Errorf("%s: texts are cut off: %q", name, cut)
	}
}

// widest names the elements beyond the right edge.
const widest = `[...document.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + "#" + e.id + "." + e.className).join(", ")`

// cutOff returns texts that do not fit into their elements, or lie outside of their panel.
const cutOff = `[...document.querySelectorAll("main *, header *")].filter(e => {
	if (!e.offsetParent || e.closest("svg") || e.children.length || !e.textContent.trim()) return false;
	const box = e.getBoundingClientRect(), around = (e.closest(".panel") ?? document.body).getBoundingClientRect();
	return e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 || box.right > around.right + 1 || box.left < around.left - 1;
}).map(e => e.textContent)`

const shownText = `document.querySelector('[data-text="%s"]').textContent`

func TestThePageInABrowser(t *testing.T) {
	b := openBrowser(t)
	for _, tt := range []struct {
		name          string
		width, height int
		token         bool
	}{
		{"phone", 360, 740, false}, {"phone-token", 360, 740, true}, {"tablet", 800, 1280, false}, {"wide", 1280, 800, true}, {"phone-across", 740, 360, false},
	} {
		s := newTestServer(nil)
		s.source.change(func(f *fakeSource) { f.notice = "platform: homing is done; the drive begins when the wheel is there" })
		driving(t, s)
		address := start(t, s.server, patient())
		url := "http://" + address + "/"
		if tt.token {
			url += "#token=" + testToken
		}
		b.open(url, tt.width, tt.height)
		b.waitFor(`document.getElementById("link")?.dataset.link === "up" && document.getElementById("badge")?.dataset.state === "driving"`)
		b.waitFor(`document.querySelectorAll("#chips li").length > 3`)
		checkValues(t, b, tt.name)
		checkTuning(t, b, s, tt.token)
		b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": tt.width, "height": run[int](b, "document.documentElement.scrollHeight"), "deviceScaleFactor": 1, "mobile": tt.width < 600}, nil)
		b.picture(tt.name + "-all")
		b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": tt.width, "height": tt.height, "deviceScaleFactor": 1, "mobile": tt.width < 600}, nil)
		b.picture(tt.name)
		b.check(address, tt.name, tt.width)
		pressStop(b)
		until(t, "the stop was ordered once", func() bool { return strings.HasPrefix(s.ordered.String(), "1 stops ") })
		b.waitFor(`document.getElementById("stop").textContent === "Stop sent"`)
	}
}

// checkValues checks that figures are shown and charts are drawn.
func checkValues(t *testing.T, b *browser, name string) {
	t.Helper()
	for _, field := range strings.Fields("speed rpm gear delta lap-time lap last best laps distance fuel steer limit rim asked clipped gain platform platform-line late tick dropped recorder") {
		if text := run[string](b, fmt.Sprintf(shownText, field)); !strings.ContainsAny(text, "0123456789") && field != "platform" {
			t.Errorf("%s: %s shows %q", name, field, text)
		}
	}
	for _, id := range []string{"force", "inputs", "translation", "rotation"} {
		run[bool](b, fmt.Sprintf(`document.getElementById("chart-%s").scrollIntoView(), true`, id))
		b.waitFor(fmt.Sprintf(isPainted, id))
	}
	run[bool](b, "window.scrollTo(0, 0), true")
}

// isPainted reports whether at least a fiftieth of the pixels of a chart are painted.
const isPainted = `(() => {
	const c = document.querySelector("#chart-%s > canvas"), copy = new OffscreenCanvas(c.width, c.height).getContext("2d", {willReadFrequently: true});
	copy.drawImage(c, 0, 0);
	const pixels = copy.getImageData(0, 0, c.width, c.height).data;
	let n = 0;
	for (let i = 3; i < pixels.length; i += 4) n += pixels[i] > 0;
	return n > c.width * c.height / 50;
})()`

// checkTuning checks that sliders work with the token, and only then.
func checkTuning(t *testing.T, b *browser, s *testServer, token bool) {
	t.Helper()
	b.waitFor(`document.querySelector("[name=force_effects]")?.value === "50"`)
	run[bool](b, `document.getElementById("tuning").open = true`)
	sliders := run[[]string](b, `[...document.querySelectorAll(".slider:not([hidden]) input")].map(e => e.name + " " + e.disabled)`)
	if len(sliders) != 18 || sliders[4] != fmt.Sprintf("motion_surge %t", !token) {
		t.Errorf("sliders %q", sliders)
	}
	if text := run[string](b, `document.querySelector("[name=limit_accel]").parentElement.firstChild.textContent`); text != "Limit of the motion's acceleration" {
		t.Errorf("a slider is called %q", text)
	}
	if hash := run[string](b, "location.href"); strings.Contains(hash, "#") {
		t.Errorf("the address still has the token: %s", hash)
	}
	if !token {
		return
	}
	run[int](b, `{const e = document.querySelector("[name=motion_surge]"); for (const v of [90, 80, 70]) { e.value = v; e.dispatchEvent(new Event("input", {bubbles: true})); } 0}`)
	until(t, "the slider's share was ordered", func() bool { return strings.HasSuffix(s.ordered.String(), "motion_surge 0.7") })
}

// pressStop presses the button as a finger or a mouse does.
func pressStop(b *browser) {
	b.t.Helper()
	at := run[[]float64](b, `{const r = document.getElementById("stop").getBoundingClientRect(); [r.left + r.width / 2, r.top + r.height / 2, r.bottom, innerHeight]}`)
	if at[2] > at[3] {
		b.t.Errorf("the stop button ends at %g px, the window at %g px", at[2], at[3])
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.must("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// still publishes a changed frame of a drive again and again, so that it stays the newest, until the next call.
func still(t *testing.T, s *testServer, change func(f *frame.Frame)) (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				s.source.change(func(f *fakeSource) {
					f.seq++
					f.frame = drivenFrame(61)
					change(&f.frame)
				})
			}
		}
	}()
	return func() { close(stop); <-ended }
}

// Each safety state has its badge; the end of the rig, of its data and of the connection show.
func TestStatesInABrowser(t *testing.T) {
	b := openBrowser(t)
	s := newTestServer(nil)
	ctx, cancel := context.WithCancel(t.Context())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- serve(ctx, ln, s.server, patient()) }()
	address := ln.Addr().String()
	b.open("http://"+address+"/", 360, 740)
	for state := range guard.Stopped + 1 {
		end := still(t, s, func(f *frame.Frame) { poor(f, state) })
		b.waitFor(fmt.Sprintf(`document.getElementById("badge")?.innerText.trim().toLowerCase() === %q`, state))
		if state == guard.Fault {
			b.waitFor(`document.getElementById("faults").textContent === "end stop, too hot"`)
			b.picture("phone-fault")
			b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
			b.picture("wide-fault")
			b.check(address, "fault", 1280)
			b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true}, nil)
			b.check(address, "fault", 360)
		}
		end()
	}
	b.waitFor(`document.getElementById("badge").dataset.state === "stale" && document.getElementById("link").textContent.startsWith("no new data for ")`)
	s.source.change(func(f *fakeSource) { f.ended, f.failure = true, "platform: line lost; plug it in" })
	b.waitFor(`document.getElementById("badge").dataset.state === "ended" && document.getElementById("notice").textContent === "rig has ended: platform: line lost; plug it in"`)
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	b.waitFor(`document.getElementById("link").textContent.includes("reconnecting")`)
	b.picture("phone-ended")
	pressStop(b)
	b.waitFor(`document.getElementById("alert").textContent.startsWith("STOP NOT SENT: rig not reached")`)
	b.picture("phone-unreached")
}

// poor makes a frame of a rig in a state with nearly nothing: no temperatures, no lap, no fuel, a platform at fault.
func poor(f *frame.Frame, state guard.State) {
	nan := math.NaN()
	f.State = uint64(state)
	f.Flags = frame.PlatformPresent | frame.InterlockOpen | frame.ConfirmInterlock | frame.HandsOff | frame.DeadManReleased | frame.OffTrack | frame.LapInvalid | frame.MotionOff
	f.Fuel, f.Charge, f.RatedTorque, f.RimTorque, f.AskedTorque, f.Recorder = nan, nan, 0, 0, 0, frame.Recorder{}
	f.Lap = frame.Lap{Delta: nan, Sectors: 8}
	f.Motion.Faults, f.Motion.State, f.RPM, f.Speed, f.Gear = 6, 7, 7390, -3, -1
	for i := range f.Wheels {
		f.Wheels[i].TireTemperature, f.Wheels[i].TirePressure, f.Wheels[i].BrakeTemperature = nan, nan, nan
		f.LegsFeedback[i], f.Motion.Temperature[i] = nan, 40
	}
}

// A page that lacks the token says what to do; a token in the link is kept for the next time.
func TestTheTokenInABrowser(t *testing.T) {
	b := openBrowser(t)
	s := newTestServer(func(o *Options) { o.Config.Hosts = []string{"rig.localhost"} })
	driving(t, s)
	_, port, _ := net.SplitHostPort(start(t, s.server, patient()))
	page := "http://rig.localhost:" + port + "/"
	const isOpen = `document.getElementById("badge")?.dataset.state === "driving"`
	b.open(page, 360, 740)
	b.waitFor(`document.getElementById("notice")?.textContent.includes("open the page by the link with #token=")`)
	b.picture("phone-locked")
	b.open(page+"#token="+testToken, 360, 740)
	b.waitFor(isOpen)
	b.open(page, 360, 740)
	b.waitFor(isOpen)
	b.open(page+"#token="+strings.Repeat("x", 26), 360, 740)
	b.waitFor(`document.getElementById("notice")?.textContent.includes("token")`)
	b.open(page, 360, 740)
	b.waitFor(`document.getElementById("notice")?.textContent.includes("open the page by the link with #token=")`)
	pressStop(b)
	until(t, "the stop was ordered without a token", func() bool { return s.ordered.String() == "1 stops " })
}
