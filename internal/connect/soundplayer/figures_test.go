package soundplayer

import (
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// A process may tell what is possible, and what cannot be ends its connection. Underruns are those of all processes.
func TestTheFiguresOfTheSoundAreChecked(t *testing.T) {
	var g Figures
	for i, bad := range []string{`{"Devices":65}`, `{"Latency":-1}`, `{"Latency":60}`, `no JSON`, strings.Repeat(" ", 600)} {
		near, far := net.Pipe()
		ended := make(chan struct{})
		go func() { g.Take(far); close(ended) }()
		_, _ = near.Write([]byte(`{"Devices":2,"Latency":0.045,"Underruns":3}` + "\n" + bad + "\n"))
		if n, err := near.Read(make([]byte, 1)); err == nil {
			t.Errorf("%.20s: still connected, read %d bytes", bad, n)
		}
		near.Close()
		<-ended
		var f frame.Frame
		if g.Show(&f); f.Sound != (frame.Sound{Underruns: 3 * uint64(i+1)}) {
			t.Errorf("%.20s: %+v", bad, f.Sound)
		}
	}
	near, far := net.Pipe()
	near.Close() // a process that ends before it tells anything
	g.Take(far)
	var f frame.Frame
	if g.Show(&f); f.Sound.Underruns != 15 {
		t.Errorf("%d underruns after a process that told nothing", f.Sound.Underruns)
	}
}

func TestTheSummaryHasTheLongestLatency(t *testing.T) {
	var g Figures
	if g.Show(&frame.Frame{}); g.Summary() != nil {
		t.Error("a summary where nothing played")
	}
	for _, s := range []frame.Sound{{Devices: 2, Latency: 0.045, Underruns: 4}, {Devices: 1, Latency: 0.02, Underruns: 5}} {
		g.newest.Put(&s)
		g.Show(&frame.Frame{})
	}
	var text strings.Builder
	got := g.Summary()
	if got.Print(&text); *got != (Summary{1, 45, 5}) || text.String() != "sound: 45 ms from a tick to the sound card, 5 underruns\n" {
		t.Errorf("%+v, %q", got, text.String())
	}
}
