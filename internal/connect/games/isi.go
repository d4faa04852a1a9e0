package games

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/core/follow"
)

// Offsets of a car in the shared memory of rFactor 2 and Le Mans Ultimate: struct TelemInfoV01 of InternalsPlugin.hpp, packed to
// 4 bytes (include/rf2data.h and include/lmu.h in github.com/Spacefreak18/simapi). The two games have the same one.
const (
	isiCarSize  = 1888
	isiID       = 0
	isiElapsed  = 12 // [s]
	isiVehicle  = 32 // car and track, 64 bytes each
	isiPosition = 160
	isiVelocity = 184 // [m/s, car]
	isiAccel    = 208 // [m/s², car]
	isiMatrix   = 232 // rows of the matrix that turns vectors of the car into the world
	isiRotation = 304 // [rad/s, car]
	isiGear     = 352
	isiRPM      = 356
	isiInputs   = 388 // throttle, brake, steering, clutch
	isiWheels   = 848
	isiWheel    = 260 // size; the deflection of the suspension comes first
	isiSurface  = 176 // of a wheel: 0 dry, 1 wet, 2 grass, 3 dirt, 4 gravel, 5 rumble strip, 6 special

	// Scoring of a car: struct VehicleScoringInfoV01.
	isiScoreSize    = 584
	isiScorePlayer  = 196
	isiScoreControl = 197 // 0 the player, 1 the computer, 3 a replay
	isiReplay       = 3

	// Scoring of the session: struct ScoringInfoV01.
	isiScored   = 104 // number of cars
	isiPhase    = 108 // of the game
	isiPaused   = 9
	isiRealtime = 115 // 1 in the car, 0 at the monitor
)

// isiRumble is follow.Sample.Rumble by isiSurface, which says no strength: the textures of rig's own surfaces (road).
var isiRumble = [...]float64{0, 0, 0.3, 0.3, 0.4, rumbleStrip}

// isiCar converts a car of isiCarSize bytes. Axes are X to the left, Y up, Z back, left-handed, in the car as in the world;
// rotation is positive with the nose up, to the right, with the right side down (comments in InternalsPlugin.hpp).
func isiCar(source string, b []byte) follow.Sample {
	v, s := view(b), unknown(source)
	rows := [3]vector{v.f64x3(isiMatrix), v.f64x3(isiMatrix + 24), v.f64x3(isiMatrix + 48)}
	column := func(i int) vector { return leftUpBack(vector{rows[0][i], rows[1][i], rows[2][i]}) }
	s.Car, s.Time = Hash(string(v[isiVehicle:isiVehicle+128])), v.f64(isiElapsed)
	s.Pos, s.Vel, s.Acc = leftUpBack(v.f64x3(isiPosition)), leftUpBack(v.f64x3(isiVelocity)), leftUpBack(v.f64x3(isiAccel))
	s.Rate = scaled(leftUpBack(v.f64x3(isiRotation)), -1)
	s.Att = attitudeOf(scaled(column(2), -1), column(0))
	s.RPM, s.Gear = v.f64(isiRPM), int8(min(max(v.i32(isiGear), -1), 100))
	s.Throttle, s.Brake, s.Clutch = v.f64(isiInputs), v.f64(isiInputs+8), v.f64(isiInputs+24)
	for i := range s.Travel {
		wheel := v[isiWheels+i*isiWheel:]
		s.Travel[i] = wheel.f64(0)
		if surface := int(wheel[isiSurface]); surface < len(isiRumble) {
			s.Rumble[i] = isiRumble[surface]
		}
	}
	return s
}

// isiSession returns the phase that a session and the control of the player's car stand for.
func isiSession(session view, control byte) follow.Phase {
	switch {
	case control == isiReplay:
		return follow.Replay
	case session[isiRealtime] == 0:
		return follow.Menu
	case session[isiPhase] == isiPaused:
		return follow.Paused
	}
	return follow.Live
}

// isiPlayer returns the score of the player's car among those of cars.
func isiPlayer(scores view, cars int) (score view, ok bool) {
	for i := range min(cars, len(scores)/isiScoreSize) {
		if score := scores[i*isiScoreSize:]; score[isiScorePlayer] == 1 {
			return score, true
		}
	}
	return nil, false
}

// Sizes and offsets in the buffers of rF2SharedMemoryMapPlugin: two counters that are equal unless it is writing, then the
// number of cars and the cars, or the session and the scores of cars.
const (
	rf2Header        = 16 // of telemetry
	rf2Cars          = 12
	rf2MostCars      = 128
	rf2ScoringHeader = 560
	rf2Session       = 12
)

// rf2 reads the buffers of rFactor 2.
type rf2 struct {
	telemetry, scoring rf2Buffer
	counter            uint32
	phase              follow.Phase
	read               bool
}

func newRF2() reader { return &rf2{} }

// rf2Buffer is a buffer as it was when its counter changed last.
type rf2Buffer struct {
	bytes   []byte
	counter uint32
	header  [rf2ScoringHeader]byte
}

// update reads the buffer of a page if its counter has changed. Its header of some bytes has the number of cars at cars, and a
// car has size bytes.
func (b *rf2Buffer) update(p *page, header, cars, size int) error {
	if err := p.read(b.header[:header], 0); err != nil {
		return err
	}
	v := view(b.header[:])
	counter := v.u32(0)
	if counter != v.u32(4) {
		return errTorn
	}
	if b.bytes != nil && counter == b.counter {
		return nil
	}
	n := header + size*min(int(v.u32(cars)), rf2MostCars)
	if cap(b.bytes) < n {
		b.bytes = make([]byte, n)
	}
	b.bytes = b.bytes[:n]
	err := p.read(b.bytes, 0)
	if err == nil {
		err = p.read(b.header[:header], 0)
	}
	if err == nil && (v.u32(0) != counter || v.u32(4) != counter || string(b.header[:header]) != string(b.bytes[:header])) {
		err = errTorn
	}
	if err != nil {
		b.bytes = nil
		return err
	}
	b.counter = counter
	return nil
}

func (r *rf2) poll(pages []*page, s *follow.Sample) (isNew bool, err error) {
	if err := r.telemetry.update(pages[0], rf2Header, rf2Cars, isiCarSize); err != nil {
		return false, err
	}
	if err := r.scoring.update(pages[1], rf2ScoringHeader, rf2Session+isiScored, isiScoreSize); err != nil && !errors.Is(err, errTorn) {
		r.scoring.bytes = nil
	}
	if *s, err = rf2Sample(r.telemetry.bytes, r.scoring.bytes); err != nil {
		return false, err
	}
	isNew = !r.read || r.telemetry.counter != r.counter || s.Phase != r.phase
	r.read, r.counter, r.phase = true, r.telemetry.counter, s.Phase
	return isNew, nil
}

func (r *rf2) version() string { return "" }

// rf2Sample converts the buffers. Without scoring, which may be nil, the player's car is the first one, and its phase is not
// known.
func rf2Sample(telemetry, scoring view) (s follow.Sample, err error) {
	cars := (len(telemetry) - rf2Header) / isiCarSize
	car, phase := 0, follow.Unknown
	if scoring != nil {
		score, ok := isiPlayer(scoring[rf2ScoringHeader:], int(scoring.u32(rf2Session+isiScored)))
		if !ok {
			s = unknown("rf2")
			s.Phase = follow.Menu
			return s, nil
		}
		phase = isiSession(scoring[rf2Session:], score[isiScoreControl])
		for car < cars && telemetry.u32(rf2Header+car*isiCarSize+isiID) != score.u32(isiID) {
			car++
		}
	}
	if car >= cars {
		return s, fmt.Errorf("rf2: the player's car is not among %d cars: the plugin maps too few", cars)
	}
	s = isiCar("rf2", telemetry[rf2Header+car*isiCarSize:])
	s.Phase = phase
	return s, nil
}

// Offsets in LMU_Data: struct SharedMemoryObjectOut of the game, as include/lmu.h in github.com/Spacefreak18/simapi has it.
const (
	lmuVersion = 64
	lmuSession = 1632
	lmuScores  = 2192   // of cars
	lmuPlayer  = 128464 // number of cars, index of the player's, whether there is one
	lmuCars    = 128468

	lmuSessionSize = 548
	lmuMostCars    = 104
)

// lmu reads Le Mans Ultimate, whose memory has no counter: what is read twice alike is whole.
type lmu struct {
	game       [4]byte // its version
	session    [lmuSessionSize]byte
	player     [3]byte
	scores     [lmuMostCars * isiScoreSize]byte
	car, again [isiCarSize]byte
	polls      int
	elapsed    float64
	phase      follow.Phase
	read       bool
}

func newLMU() reader { return &lmu{} }

func (l *lmu) poll(pages []*page, s *follow.Sample) (isNew bool, err error) {
	const scoresEvery = 100 // polls: the game writes scores five times a second
	p := pages[0]
	err = errors.Join(p.read(l.session[:], lmuSession), p.read(l.player[:], lmuPlayer), p.read(l.game[:], lmuVersion))
	if err == nil && l.polls%scoresEvery == 0 {
		err = p.read(l.scores[:], lmuScores)
	}
	if err != nil {
		return false, err
	}
	l.polls++
	*s = unknown("lmu")
	s.Phase = follow.Menu
	if index := l.player[1]; l.player[2] == 1 && index < min(l.player[0], lmuMostCars) {
		if err := p.readWhole(l.car[:], l.again[:], lmuCars+int64(index)*isiCarSize); err != nil {
			return false, err
		}
		*s = isiCar("lmu", l.car[:])
		control := byte(0)
		if score, ok := isiPlayer(l.scores[:], int(view(l.session[:]).u32(isiScored))); ok {
			control = score[isiScoreControl]
		}
		s.Phase = isiSession(l.session[:], control)
	}
	isNew = !l.read || s.Time == s.Time && s.Time != l.elapsed || s.Phase != l.phase
	l.read, l.elapsed, l.phase = true, s.Time, s.Phase
	return isNew, nil
}

// version returns the number of the game's version.
func (l *lmu) version() string { return fmt.Sprint(view(l.game[:]).u32(0)) }
