package motion

import (
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/latest"
)

// Status is a snapshot of the platform. Positions are fractions of the stroke, one for each actuator.
type Status struct {
	State            State
	Feedback         wire.Legs          // measured; NaN where unknown
	Target           wire.Legs          // sent last; NaN where nothing was sent
	FollowError      wire.Legs          // distance of each actuator from where it should be by now, positive above; NaN where unknown
	Temperature      [wire.Axes]float64 // [°C], NaN where unknown
	Faults           wire.Faults        // faults that are present now, and latching faults until Home
	AwaitsHome       bool               // it was found, and follows no targets until Home
	InterlockLatched bool               // a belt, door or dead-man switch was opened: no targets are followed until Home
	LastFeedback     wire.Legs          // measured last, even on a line that was lost since; NaN where nothing ever was
	LastTarget       wire.Legs          // sent last, even on a line that was lost since; NaN where nothing ever was
	ParkDone         bool               // waiting for an order to park is over: the platform rests at its park position, is held, cannot be reached, or was never moved

	Sent        uint64  // writes of targets and queries that the port accepted
	Answers     uint64  // complete answers received
	Noise       uint64  // bytes received that belonged to no answer
	BadTargets  uint64  // targets refused because they were NaN or Inf
	TargetJumps uint64  // targets that jumped by more than Config.MaxTargetJump
	LinesLost   uint64  // times that the line was lost or the controller given up
	Restarts    uint64  // restarts of the controller while it was driven
	Rate        float64 // targets per second [Hz]
	LineShare   float64 // fraction of the line's capacity that targets and queries use, 0..1
	Latency     float64 // of the newest target, from Push to the last byte on the wire [s]
}

// Moved reports whether the platform was ever sent a target.
func (s *Status) Moved() bool {
	for _, position := range s.LastTarget {
		if !math.IsNaN(position) {
			return true
		}
	}
	return false
}

// sharedStatus is what the threads of a platform share. Every value has one writer at a time;
// a reader never waits.
type sharedStatus struct {
	state             atomic.Uint32         // State, and restsAtParkBit: together, so that a reader finds both of one moment
	awaitsHome        atomic.Bool           // for Status
	heldInPlace       atomic.Bool           // it stays where it was found, because its belt or door is open
	restsWhereStopped atomic.Bool           // it rests where a halt or a fault has stopped it
	givenUp           atomic.Pointer[error] // why Home and Park no longer wait for this controller; nil while they do
	homesDone         atomic.Uint64         // number of the newest order to home that was carried out
	faults            atomic.Uint32         // for Status

	target      [wire.Axes]latest.Float
	lastTarget  [wire.Axes]latest.Float // as target, but not cleared when the line is lost
	followError [wire.Axes]latest.Float

	sent, noise, linesLost, targetJumps, restarts atomic.Uint64

	received
}

// received is what the controller reported. The reader writes it.
type received struct {
	answers     atomic.Uint64
	answeredAt  atomic.Int64 // when the newest answer came, by the platform's clock [ns]
	positions   [wire.Axes]latest.Cell[reportedPosition]
	cleared     [wire.Axes]atomic.Uint64 // number of the newest entry in positions that is no longer valid; the state machine writes it
	temperature [wire.Axes]latest.Float
	statusAt    atomic.Int64                 // when the newest status came [ns]
	status      [wire.Axes + 1]atomic.Uint32 // faults present now; the first entry is of the whole platform
	unconfirmed [wire.Axes + 1]atomic.Uint32 // faults reported once and not confirmed yet; 0 for none
	eventFaults atomic.Uint32                // faults reported as events; kept until the platform is homed
	bootReports atomic.Uint64                // restarts that the controller reported
}

// reportedPosition is a position of an actuator [strokes] and when it came, by the platform's clock.
type reportedPosition struct {
	position float64
	at       time.Duration
}

func newSharedStatus() *sharedStatus {
	s := &sharedStatus{}
	for i := range wire.Axes {
		s.lastTarget[i].Store(math.NaN())
	}
	s.clearLineValues()
	return s
}

// clearLineValues clears the values that are valid only while a line is open.
func (s *sharedStatus) clearLineValues() {
	for i := range wire.Axes {
		s.target[i].Store(math.NaN())
		s.followError[i].Store(math.NaN())
		s.temperature[i].Store(math.NaN())
	}
	for i := range s.status {
		s.status[i].Store(0)
		s.unconfirmed[i].Store(0)
	}
	s.eventFaults.Store(0)
	s.clearPositions()
	s.setState(s.currentState())
	s.restsWhereStopped.Store(false)
}

// clearPositions makes all reported positions unknown.
func (r *received) clearPositions() {
	for i := range wire.Axes {
		r.cleared[i].Store(r.positions[i].Number())
	}
}

// store stores an answer that was received at a time.
func (r *received) store(a wire.Answer, now time.Duration) {
	r.answers.Add(1)
	r.answeredAt.Store(int64(now))
	if a.Axis < -1 || a.Axis >= wire.Axes {
		return // an axis that no platform has
	}
	switch a.Kind {
	case wire.AnswerPosition:
		if a.Axis >= 0 && !math.IsNaN(a.Position) {
			r.positions[a.Axis].Put(&reportedPosition{a.Position, now})
		}
	case wire.AnswerPositions:
		for axis, position := range a.Positions {
			if !math.IsNaN(position) {
				r.positions[axis].Put(&reportedPosition{position, now})
			}
		}
	case wire.AnswerStatus:
		if a.Unconfirmed {
			r.unconfirmed[a.Axis+1].Store(uint32(a.Fault))
			break
		}
		r.unconfirmed[a.Axis+1].Store(0)
		r.status[a.Axis+1].Store(uint32(a.Fault))
		r.statusAt.Store(int64(now))
	case wire.AnswerFault:
		r.eventFaults.Or(uint32(a.Fault))
	case wire.AnswerRestarted:
		r.bootReports.Add(1)
	}
	if !math.IsNaN(a.Temperature) {
		r.storeTemperature(a.Axis, a.Temperature)
	}
}

// storeTemperature stores the temperature [°C] of one actuator, or of all if axis is below 0.
func (r *received) storeTemperature(axis int, temperature float64) {
	for i := range wire.Axes {
		if i == axis || axis < 0 {
			r.temperature[i].Store(temperature)
		}
	}
}

// reportedFaults returns all faults that the controller reports.
func (r *received) reportedFaults() wire.Faults {
	f := r.eventFaults.Load()
	for i := range r.status {
		f |= r.status[i].Load()
	}
	return wire.Faults(f)
}

// unconfirmedFaults returns the faults that the controller reported only once. They hold the
// platform until the next report confirms or clears them.
func (r *received) unconfirmedFaults() wire.Faults {
	f := uint32(0)
	for i := range r.unconfirmed {
		f |= r.unconfirmed[i].Load() &^ r.status[i].Load()
	}
	return wire.Faults(f) & (wire.Latching | wire.FaultOffline)
}

// newestPosition returns the newest reported position of an actuator, with NaN and 0 if there never was one.
// valid is false if it is unknown where the actuator is now.
func (r *received) newestPosition(axis int) (p reportedPosition, valid bool) {
	p.position = math.NaN()
	number := r.positions[axis].Get(&p)
	return p, number > r.cleared[axis].Load()
}

// position returns the newest reported position of an actuator, NaN if it is unknown.
func (r *received) position(axis int) float64 {
	if p, valid := r.newestPosition(axis); valid {
		return p.position
	}
	return math.NaN()
}

// restsAtParkBit says that the platform rests at its park position.
const restsAtParkBit = 1 << 31

// setState stores a state in which the platform does not rest at its park position, or is not known to.
func (s *sharedStatus) setState(state State) { s.state.Store(uint32(state)) }

// setRestsAtPark stores that the platform rests at its park position, in a state that may also be Fault or Halted.
func (s *sharedStatus) setRestsAtPark(state State) { s.state.Store(uint32(state) | restsAtParkBit) }

func (s *sharedStatus) currentState() State { return State(s.state.Load() &^ restsAtParkBit) }

func (s *sharedStatus) restsAtPark() bool { return s.state.Load()&restsAtParkBit != 0 }

// snapshot returns the values of now as a Status, without those that only Platform knows.
func (b *sharedStatus) snapshot() Status {
	state := b.state.Load()
	s := Status{
		State: State(state &^ restsAtParkBit), AwaitsHome: b.awaitsHome.Load(), Faults: wire.Faults(b.faults.Load()),
		Sent: b.sent.Load(), Answers: b.answers.Load(), Noise: b.noise.Load(), LinesLost: b.linesLost.Load(),
		TargetJumps: b.targetJumps.Load(), Restarts: b.restarts.Load(),
	}
	for i := range wire.Axes {
		s.Feedback[i] = b.position(i)
		s.Target[i] = b.target[i].Load()
		last, _ := b.newestPosition(i)
		s.LastFeedback[i] = last.position
		s.LastTarget[i] = b.lastTarget[i].Load()
		s.FollowError[i] = b.followError[i].Load()
		s.Temperature[i] = b.temperature[i].Load()
	}
	s.ParkDone = s.State == Absent || state&restsAtParkBit != 0 || b.restsWhereStopped.Load() || b.givenUp.Load() != nil || s.State == Opening && !s.Moved()
	return s
}

// setOrderedHome makes s that of a platform that was ordered to home, and has not begun to: it awaits nothing more, and its fault
// is over. One whose controller is silent cannot begin.
func (s *Status) setOrderedHome() {
	s.AwaitsHome = false
	if s.State == Fault && s.Faults&wire.FaultSilent == 0 {
		s.State = Opening
	}
}
