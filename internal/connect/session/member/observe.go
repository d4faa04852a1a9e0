package member

import (
	"fmt"
	"math"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// observer finds events in a rig's frames.
type observer struct {
	started   bool
	laps      uint64 // finished
	marks     uint64
	inPit     bool
	lapInPit  bool   // the present lap was in the pit lane
	stopAsked string // ID of race control's last stop, if its effect has not been reported
}

// see returns what has happened since the last frame, without time and member.
func (o *observer) see(f *frame.Frame) (events []session.Event) {
	inPit := f.Flags&frame.InPit != 0
	if !o.started {
		*o = observer{started: true, laps: f.Lap.Count, marks: f.Marks, inPit: inPit, stopAsked: o.stopAsked}
	}
	if inPit != o.inPit {
		kind := session.PitExit
		if inPit {
			kind = session.PitEntry
		}
		events = append(events, session.Event{Kind: kind})
	}
	o.inPit, o.lapInPit = inPit, o.lapInPit || inPit || o.inPit
	if f.Lap.Count != o.laps {
		events = append(events, session.Event{Kind: session.LapDone, Lap: lapOf(f, o.lapInPit), Text: missedText(f.Lap.Count, o.laps)})
		o.laps, o.lapInPit = f.Lap.Count, inPit
	}
	if f.Marks != o.marks {
		events = append(events, session.Event{Kind: session.Marked})
		o.marks = f.Marks
	}
	if state := guard.State(f.State); o.stopAsked != "" && state == guard.Stopped {
		events = append(events, session.Event{Kind: session.HasStopped, Text: state.String(), Answers: o.stopAsked})
		o.stopAsked = ""
	}
	return events
}

// missedText says how many laps were finished unseen since the last one that was seen, or nothing if none was. The page
// has only the newest lap.
func missedText(count, seen uint64) string {
	if count <= seen+1 {
		return ""
	}
	return fmt.Sprintf("%d laps before this one were missed: the process for the session was held up", count-seen-1)
}

// lapOf returns the lap that was finished last.
func lapOf(f *frame.Frame, inPit bool) *session.Lap {
	l := &f.Lap
	return &session.Lap{
		Number: int(l.Count), Time: l.Last, Sectors: slices.Clone(l.LastSplits[:min(l.Sectors, frame.MaxSectors)]),
		Valid: f.Flags&frame.LastLapInvalid == 0, InPit: inPit,
	}
}

// flagOf are the flags of a frame that a state has too.
var flagOf = [...]struct {
	frame uint64
	state session.StateFlags
}{
	{frame.InPit, session.InPit}, {frame.OffTrack, session.OffTrack}, {frame.WrongWay, session.WrongWay}, {frame.LapInvalid, session.LapInvalid},
	{frame.Paused, session.CarPaused}, {frame.HeadlightFlash, session.HeadlightFlash},
}

// distance returns how far the front axle of the rig's car is from the start line along the center line [m]: from 0 to the
// lap's length, and below 0 for a car that waits before the line and has not crossed it yet.
func (m *member) distance() float64 {
	f, length := &m.frame, m.o.Join.Circuit.Length
	if !(length > 0) {
		return 0
	}
	d := math.Mod(f.Station-m.o.Start, length)
	if d < 0 {
		d += length
	}
	if f.Lap.Number == 0 && f.Lap.Count == 0 && d > length/2 {
		d -= length
	}
	return d
}

// stateOf returns the state of a frame's car, without slot, time and distance.
func stateOf(f *frame.Frame) session.State {
	s := session.State{
		Pos: f.Pos, Att: f.Att, Vel: f.Vel, Rate: f.Rate, Acc: toWorld(f.Att, f.Acc), Steer: (f.Wheels[0].Steer + f.Wheels[1].Steer) / 2,
		RPM: f.RPM, Gear: int(f.Gear), Brake: f.Brake, Laps: int(f.Lap.Count),
	}
	for _, g := range flagOf {
		if f.Flags&g.frame != 0 {
			s.Flags |= g.state
		}
	}
	if !guard.State(f.State).Moves() {
		s.Flags |= session.NotDriving
	}
	return s
}

// toWorld turns a vector from the body's axes by the attitude q.
func toWorld(q [4]float64, v [3]float64) [3]float64 {
	w, x, y, z := q[0], q[1], q[2], q[3]
	tx, ty, tz := 2*(y*v[2]-z*v[1]), 2*(z*v[0]-x*v[2]), 2*(x*v[1]-y*v[0])
	return [3]float64{v[0] + w*tx + y*tz - z*ty, v[1] + w*ty + z*tx - x*tz, v[2] + w*tz + x*ty - y*tx}
}
