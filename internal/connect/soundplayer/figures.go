package soundplayer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/latest"
)

// Figures are what the process that plays tells the rig: for the frame of each tick, and for the summary.
type Figures struct {
	newest latest.Cell[frame.Sound]
	shown  frame.Sound // in the latest frame
	worst  float64     // longest latency that was shown [s]; 0 if nothing played
}

// Take takes what the process tells once a second, a line each, until its connection ends or it tells what
// cannot be: then it is closed, which ends the process. Underruns are those of the whole drive.
func (g *Figures) Take(conn net.Conn) {
	const maxLine, maxDevices, maxLatency = 512, 64, 60 // [bytes], [1], [s]
	var before frame.Sound
	g.newest.Get(&before)
	underruns := before.Underruns
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, maxLine), maxLine)
	for lines.Scan() {
		var now frame.Sound
		if json.Unmarshal(lines.Bytes(), &now) != nil || now.Devices > maxDevices || !(now.Latency >= 0 && now.Latency < maxLatency) {
			break
		}
		now.Underruns += before.Underruns
		underruns = now.Underruns
		g.newest.Put(&now)
	}
	conn.Close()
	g.newest.Put(&frame.Sound{Underruns: underruns})
}

// Show sets the newest figures in the frame of a tick. It neither waits nor allocates.
func (g *Figures) Show(f *frame.Frame) {
	g.newest.Get(&f.Sound)
	g.shown, g.worst = f.Sound, max(g.worst, f.Sound.Latency)
}

// Summary is how a drive's sound was played: by the devices that played last, with the longest latency.
type Summary struct {
	Devices   uint64  `json:"devices"`
	Latency   float64 `json:"latency_ms"` // from a tick to the moment when its sound leaves the computer
	Underruns uint64  `json:"underruns"`  // times that a device ran out of samples
}

// Summary returns the summary, or nil if nothing played. Call it after the last Show.
func (g *Figures) Summary() *Summary {
	if g.worst == 0 {
		return nil
	}
	return &Summary{g.shown.Devices, g.worst * 1e3, g.shown.Underruns}
}

// Print writes s as text.
func (s *Summary) Print(w io.Writer) {
	fmt.Fprintf(w, "sound: %.0f ms from a tick to the sound card, %d underruns\n", s.Latency, s.Underruns)
}
