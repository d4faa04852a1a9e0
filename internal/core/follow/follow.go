package follow

import "math"

// Status is why there is motion, or none.
type Status uint8

// The statuses.
const (
	Silent  Status = iota // no packets, for staleAfter
	Gather                // packets come; not enough of them yet
	Ready                 // motion is faded in, or fades in
	NotLive               // paused, menu or replay
	Frozen                // packets come whose contents never change
	Jumped                // the car was put elsewhere
	Bad                   // NaN, or values that no car has
)

var statusNames = [...]string{"silent", "gathering packets", "live", "paused, menu or replay", "frozen", "the car was put elsewhere", "impossible values"}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// Config is how packets are followed.
type Config struct {
	// answers one interval of the packets earlier, by continuing the slope of their values: less delay, more grain
	Predict bool `toml:"predict"`
}

const (
	ringSize = 4

	silentAfter = 0.15 // time without a packet after which the motion fades out [s]
	frozenAfter = 0.5  // time without a change in the packets, likewise
	goodFor     = 0.5  // time of good packets before the motion fades in [s]
	badUntil    = 20   // good packets that end Bad

	fadeOut = 0.4 // [s]
	fadeIn  = 1.5 // [s]

	gravity = 9.80665 // [m/s²]
	maxAcc  = 60.0    // [m/s²]: what passes of a crash

	maxJerk       = 1000.0 // [m/s³]
	maxAngularAcc = 100.0  // [rad/s²]
)

// Motion is what the car does now, delayed and faded.
type Motion struct {
	Pos  [3]float64 // [m, world]
	Att  [4]float64 // quaternion body to world
	Vel  [3]float64 // [m/s, body]
	Rate [3]float64 // angular velocity [rad/s, body], faded
	Acc  [3]float64 // acceleration without gravity [m/s², body], faded

	// SpecificForce is what an accelerometer in the car shows [m/s², body], faded: (0, 0, g) at rest.
	SpecificForce [3]float64
	Roll, Pitch   float64 // [rad], faded
	Share         float64 // fade, 0 (at rest) to 1
	Status        Status
	Delay         float64 // from the arrival of a packet to its motion [s]
	PacketRate    float64 // packets per second
	Lost          uint64  // packets that were missing or refused so far
}

// Follower holds the constants. It does not change after New.
type Follower struct {
	cfg Config
	dt  float64 // [s]
}

// New returns a follower that is stepped every dt [s].
func New(cfg Config, dt float64) *Follower { return &Follower{cfg: cfg, dt: dt} }

// State is everything that one tick passes to the next. The zero value is a start without packets.
type State struct {
	now       float64 // time since the start [s]
	number    uint64  // of the newest packet
	source    uint8
	version   uint64
	car       uint64
	phase     Phase
	clock     clock
	points    [ringSize]point // oldest first
	count     int             // points in use
	raw       Sample          // newest packet
	changedAt float64         // when its contents changed last [s]
	arrivedAt float64         // when it came [s]
	goodSince float64         // since when all packets are good [s]
	good      int             // good packets since the last bad one
	status    Status          // of what interrupted last
	delay     float64         // used now [s]
	holding   bool            // the output is held and fades out, before what comes now is shown
	held      point
	fade      float64 // linear, 0..1
	lost      uint64
	force     [3]float64 // specific force of the last tick, less (0, 0, g) [m/s², body]
	rate      [3]float64 // angular velocity of the last tick [rad/s, body]
}

// Config returns how packets are followed.
func (f *Follower) Config() Config { return f.cfg }

// Trust is the share of the motion, 0..1, that each axis of a version of a source gets: 1 once the operator has confirmed its
// sign.
type Trust struct {
	Source  uint8
	Version uint64
	Axes    [Axes]float64
}

// Unconfirmed is the share of the motion that an axis gets until the operator has confirmed its sign.
const Unconfirmed = 0.1

// Trusted returns the shares that a list gives the source of the newest packet.
func (s *State) Trusted(list []Trust) [Axes]float64 {
	for i := range list {
		if t := &list[i]; t.Source == s.source && t.Version == s.version {
			return t.Axes
		}
	}
	return [Axes]float64{Unconfirmed, Unconfirmed, Unconfirmed, Unconfirmed, Unconfirmed, Unconfirmed}
}

// Step takes what arrived in this tick and returns the motion. It allocates nothing.
func (f *Follower) Step(s *State, in *Sample) Motion {
	s.now += f.dt
	if in.Number != s.number && in.Number != 0 {
		f.receive(s, in)
	}
	status := s.currentStatus()
	live := status == Ready
	if !live && s.fade > 0 {
		s.holding = true
	}
	if s.holding && s.fade <= 0 {
		s.holding = false
	}
	if !s.holding && live {
		f.moveDelay(s)
		ahead := 0.0
		if f.cfg.Predict {
			ahead = 1
		}
		s.held = spline(&s.points, s.now-s.delay, ahead)
	}
	if live && !s.holding {
		s.fade = math.Min(s.fade+f.dt/fadeIn, 1)
	} else {
		s.fade = math.Max(s.fade-f.dt/fadeOut, 0)
	}
	return f.motion(s, status)
}

// currentStatus returns why there is motion now, or none.
func (s *State) currentStatus() Status {
	switch {
	case s.number == 0 || s.now-s.arrivedAt > silentAfter:
		return Silent
	case s.status == Bad && s.good < badUntil:
		return Bad
	case s.phase == Paused || s.phase == Menu || s.phase == Replay:
		return NotLive
	case s.now-s.changedAt > frozenAfter:
		return Frozen
	case s.status == Jumped && s.now-s.goodSince < goodFor:
		return Jumped
	case s.count < ringSize || s.clock.interval == 0 || s.now-s.goodSince < goodFor:
		return Gather
	}
	return Ready
}

// moveDelay moves the delay gently towards what the packets need: one and a half intervals, and their jitter.
func (f *Follower) moveDelay(s *State) {
	const slowest = 0.01 // change of the delay in a second [s/s]: a change of speed that nobody feels
	wanted := 1.5*s.clock.interval + s.clock.margin()
	if s.fade == 0 {
		s.delay = wanted
	}
	s.delay += math.Max(-slowest*f.dt, math.Min(slowest*f.dt, wanted-s.delay))
}

// motion returns the output: what is held, faded to a car at rest on level ground. Whatever the packets say, force and rate
// change no faster than maxJerk and maxAngularAcc.
func (f *Follower) motion(s *State, status Status) Motion {
	share := s.fade * s.fade * (3 - 2*s.fade)
	p := &s.held
	att, ok := normalized(p.att)
	if !ok {
		share = 0
	}
	m := Motion{Pos: p.pos, Att: att, Vel: p.vel, Share: share, Status: status, Delay: s.delay, Lost: s.lost}
	if s.clock.interval > 0 {
		m.PacketRate = 1 / s.clock.interval
		if f.cfg.Predict {
			m.Delay -= s.clock.interval
		}
	}
	up := ToBody(att, [3]float64{0, 0, gravity})
	force := scale(share, sub(add(limited(p.acc, maxAcc), up), [3]float64{0, 0, gravity}))
	s.force = add(s.force, limited(sub(force, s.force), maxJerk*f.dt))
	s.rate = add(s.rate, limited(sub(scale(share, p.rate), s.rate), maxAngularAcc*f.dt))
	m.Rate = s.rate
	m.SpecificForce = add(s.force, [3]float64{0, 0, gravity})
	m.Acc = sub(s.force, scale(share, sub(up, [3]float64{0, 0, gravity})))
	m.Pitch = share * math.Asin(min(max(-up[0]/gravity, -1), 1))
	m.Roll = share * math.Atan2(up[1], up[2])
	return m
}

// limited returns v, shortened to a length of at most limit.
func limited(v [3]float64, limit float64) [3]float64 {
	if n := length(v); n > limit {
		return scale(limit/n, v)
	}
	return v
}
