package games

import (
	"math"
	"strings"
	"unicode/utf16"

	"rig.example/rig/internal/core/follow"
)

// Offsets in the three pages of Assetto Corsa, which Competizione and Rally have, too ("Shared Memory Reference",
// assettocorsa.net/forum; include/acdata.h in github.com/Spacefreak18/simapi). Later games append fields.
const (
	acPhysicsSize  = 580 // what follows is not read
	acGraphicsSize = 8   // number and status
	acStaticSize   = 200 // versions, numbers of sessions and cars, car, track

	acPacket   = 0
	acGas      = 4 // then brake
	acGear     = 16
	acRPM      = 20
	acAccel    = 44 // [g, car]
	acSlip     = 56 // of the four tires
	acTravel   = 184
	acAngles   = 208 // heading, pitch, roll [rad]
	acRates    = 296 // [rad/s, car]
	acClutch   = 364 // 1 engaged
	acContacts = 420 // where the four tires touch the ground [m, world]
	acVelocity = 568 // [m/s, car]

	acStatus = 4
)

// assetto reads the pages of Assetto Corsa and its successors.
//
// The reference has offsets, but neither axes nor signs. The car has X to the left, Y up and Z forward, and acceleration is the
// change of velocity, without gravity (published reimplementations of the game's physics). Which way heading, pitch and roll
// turn is measured against the angular velocity; until that is decided, the plane through the four contact points is the
// attitude. Whether the world is right-handed is told by that plane, too. The slip of the tires has no unit: it is taken for
// that over the slip of the largest force.
type assetto struct {
	source         string
	physics, again [acPhysicsSize]byte
	graphics       [acGraphicsSize]byte
	static         [acStaticSize]byte
	hasStatic      bool
	polls          uint64
	number         uint32 // of the packet
	phase          follow.Phase
	read           bool
	angles         angleSigns
	mirrored       bool // the world is left-handed
	upright        bool // mirrored is known
}

func newAssetto() reader { return &assetto{source: "ac"} }

// newEvo reads Assetto Corsa EVO, whose page of versions, car and track has another layout.
func newEvo() reader { return &assetto{source: "acevo"} }

func (a *assetto) poll(pages []*page, s *follow.Sample) (isNew bool, err error) {
	const staticEvery = 500 // polls: it changes with the session
	if err := pages[0].readWhole(a.physics[:], a.again[:], 0); err != nil {
		return false, err
	}
	phase := follow.Unknown
	if pages[1].read(a.graphics[:], 0) == nil {
		phase = acPhase(view(a.graphics[:]).i32(acStatus))
	}
	if a.polls%staticEvery == 0 && len(pages) > 2 {
		a.hasStatic = pages[2].read(a.static[:], 0) == nil
	}
	a.polls++
	number := view(a.physics[:]).u32(acPacket)
	if a.read && number == a.number && phase == a.phase {
		return false, nil
	}
	a.read, a.number, a.phase = true, number, phase
	return true, a.convert(s)
}

func acPhase(status int32) follow.Phase {
	switch status {
	case 0:
		return follow.Menu
	case 1:
		return follow.Replay
	case 2:
		return follow.Live
	case 3:
		return follow.Paused
	}
	return follow.Unknown
}

// convert turns the pages that were read into a sample.
func (a *assetto) convert(s *follow.Sample) error {
	v := view(a.physics[:])
	*s = unknown(a.source)
	s.Phase = a.phase
	if a.hasStatic {
		s.Car = Hash(string(a.static[:]))
	}
	s.Acc = scaled(leftUpAhead(v.f32x3(acAccel)), gravity)
	s.Vel, s.Rate = leftUpAhead(v.f32x3(acVelocity)), leftUpAhead(v.f32x3(acRates))
	a.setAttitude(v, s)
	s.RPM, s.Gear = float64(v.i32(acRPM)), int8(min(max(v.i32(acGear)-1, -1), 100))
	s.Throttle, s.Brake, s.Clutch = v.f32(acGas), v.f32(acGas+4), 1-v.f32(acClutch)
	for i := range s.Travel {
		s.Travel[i], s.Slip[i] = v.f32(acTravel+4*i), math.Abs(v.f32(acSlip+4*i))
	}
	if a.angles.contradicts() {
		return errOtherSigns
	}
	return nil
}

// setAttitude sets place and attitude from the contact points and the angles.
func (a *assetto) setAttitude(v view, s *follow.Sample) {
	center, forward, left, ok := a.contactPlane(v)
	north := math.NaN()
	if ok {
		s.Pos, north = center, math.Atan2(forward[1], forward[0])
	}
	angles, decided := a.angles.next(v.f32x3(acAngles), s.Rate, north)
	switch {
	case decided:
		s.Att = attitude(angles[0], angles[1], angles[2])
	case ok:
		s.Att = attitudeOf(forward, left)
	}
}

// contactPlane returns the middle of the contact points and the directions forward and to the left along them [world]. It
// returns false if they are not those of a car.
func (a *assetto) contactPlane(v view) (center, forward, left vector, ok bool) {
	const shortest, longest, square = 0.8, 8.0, 0.2 // wheelbase and track [m]; cosine of the angle between them
	var at [4]vector
	for i := range at {
		at[i] = leftUpAhead(v.f32x3(acContacts + 12*i))
		if a.mirrored {
			at[i][1] = -at[i][1]
		}
		center = sum(center, scaled(at[i], 0.25))
	}
	forward = scaled(sum(sum(at[0], at[1]), scaled(sum(at[2], at[3]), -1)), 0.5)
	left = scaled(sum(sum(at[0], at[2]), scaled(sum(at[1], at[3]), -1)), 0.5)
	base, track := math.Sqrt(dot(forward, forward)), math.Sqrt(dot(left, left))
	ok = min(base, track) > shortest && max(base, track) < longest && math.Abs(dot(forward, left)) < square*base*track
	if ok && !a.upright {
		a.upright = true
		if cross(forward, left)[2] < 0 { // a car begins on its wheels
			a.mirrored = true
			return a.contactPlane(v)
		}
	}
	return center, forward, left, ok
}

// version returns the versions of game and memory. It is "" without the static page.
func (a *assetto) version() string {
	const shared, game, length = 0, 30, 15
	if !a.hasStatic {
		return ""
	}
	v := view(a.static[:])
	return strings.TrimSpace(v.wide(game, length) + " " + v.wide(shared, length))
}

// wide returns a text of UTF-16 with at most n characters, up to its first zero.
func (v view) wide(at, n int) string {
	text := make([]uint16, 0, n)
	for i := range n {
		c := uint16(v[at+2*i]) | uint16(v[at+2*i+1])<<8
		if c == 0 {
			break
		}
		text = append(text, c)
	}
	return string(utf16.Decode(text))
}

// angleSigns measures which way heading, pitch and roll of a game turn, against the angular velocity.
type angleSigns struct {
	last    vector // angles before
	votes   vector // evidence that they turn to the left, nose up and right side down [rad²/s]
	yaw     float64
	north   float64 // heading of the contact points where that of the game is 0 [rad]
	before  float64 // heading of the contact points before
	started bool
}

const (
	certain  = 1e-3 // evidence that decides: 0.1 rad at 0.01 rad/s
	mostVote = 1e-2 // is not exceeded
	leap     = 0.1  // larger changes are those of another place, or of the range of an angle [rad]
)

// next takes the angles of a packet with the angular velocity [rad/s, body] and the heading of the contact points, which may
// be NaN. It returns the angles to the left, nose up and right side down, once their signs are decided.
func (a *angleSigns) next(angles, rate vector, north float64) (signed vector, decided bool) {
	vote := func(evidence *float64, change, turns float64) {
		if a.started && math.Abs(change) < leap && math.Abs(turns) < 100 {
			*evidence = min(max(*evidence+change*turns, -mostVote), mostVote)
		}
	}
	for i, turns := range [3]float64{rate[2], -rate[1], rate[0]} {
		vote(&a.votes[i], angles[i]-a.last[i], turns)
	}
	vote(&a.yaw, north-a.before, rate[2])
	a.last, a.before, a.started = angles, north, true
	for i := range angles {
		signed[i] = angles[i] * math.Copysign(1, a.votes[i])
	}
	if north == north {
		a.north = north - signed[0]
	}
	signed[0] += a.north
	return signed, min(math.Abs(a.votes[0]), math.Abs(a.votes[1]), math.Abs(a.votes[2])) >= certain
}

// contradicts reports whether the contact points turn against the yaw rate.
func (a *angleSigns) contradicts() bool { return a.yaw <= -certain }
