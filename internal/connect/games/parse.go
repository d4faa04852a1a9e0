package games

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/core/follow"
)

// Lengths of packets [bytes].
const (
	lenBeamNG     = 88
	lenOutGauge   = 92 // and 96: the dash of BeamNG and Live for Speed, which comes to the same port
	lenOutSim     = 64 // and 68 with an ID
	lenOutSim2    = 280
	lenForzaSled  = 232
	lenForzaDash  = 311
	lenForza2023  = 331
	lenHorizon    = 324
	lenDirt       = 264
	horizonExtras = 12 // bytes behind the sled that only Horizon has
)

// rumbleStrip is follow.Sample.Rumble on a rumble strip, where a source says no more: the texture of rig's own
// (road).
const rumbleStrip = 0.8

// errNoMotion reports a packet of a dash, which has no motion.
var errNoMotion = fmt.Errorf("OutGauge, which has no motion")

// parse returns the sample of a packet, which is known by its length and its first bytes.
func parse(b []byte) (follow.Sample, error) {
	switch len(b) {
	case lenBeamNG:
		return parseBeamNG(b)
	case lenOutGauge, lenOutGauge + 4:
		return follow.Sample{}, errNoMotion
	case lenOutSim, lenOutSim + 4:
		return parseOutSimBasic(b)
	case lenOutSim2:
		return parseOutSim(b)
	case lenForzaSled, lenForzaDash, lenForza2023, lenHorizon:
		return parseForza(b)
	case lenDirt:
		return parseDirt(b)
	case lenWRC:
		return parseWRC(b)
	case lenRBR:
		return parseRBR(b)
	}
	return follow.Sample{}, fmt.Errorf("%d bytes, which no known game sends", len(b))
}

// layout tells apart the layouts that versions of one game have. It is "" where there is one.
func layout(b []byte) string {
	switch len(b) {
	case lenOutSim, lenOutSim + 4:
		return "OutSim"
	case lenOutSim2:
		return "OutSim2"
	case lenForzaSled, lenForzaDash, lenForza2023, lenHorizon:
		return strconv.Itoa(len(b)) + " bytes"
	}
	return ""
}

// sampleOf returns a sample of a motion in words' directions.
func sampleOf(source string, m packets.Motion) follow.Sample {
	nan := math.NaN()
	s := follow.Sample{
		Source: Code(source), Time: nan, Pos: m.Pos, Att: attitude(m.Heading, m.NoseUp, m.RightDown),
		Rate: [3]float64{m.RightDownRate, -m.NoseUpRate, m.LeftRate}, Acc: [3]float64{m.AccForward, m.AccLeft, m.AccUp},
		RPM: nan, Throttle: nan, Brake: nan, Clutch: nan, Steer: nan, RearSlip: nan, Gear: gear(m.Gear),
		Slip: [4]float64{nan, nan, nan, nan}, Rumble: [4]float64{nan, nan, nan, nan},
	}
	s.Vel = follow.ToBody(s.Att, m.Vel)
	for i, w := range m.Wheels {
		s.Travel[i] = w.Compression
	}
	return s
}

// attitude returns the quaternion of a heading to the left, then nose up, then right side down [rad].
func attitude(heading, noseUp, rightDown float64) [4]float64 {
	sy, cy := math.Sincos(heading / 2)
	sp, cp := math.Sincos(-noseUp / 2)
	sr, cr := math.Sincos(rightDown / 2)
	return [4]float64{
		cr*cp*cy + sr*sp*sy,
		sr*cp*cy - cr*sp*sy,
		cr*sp*cy + sr*cp*sy,
		cr*cp*sy - sr*sp*cy,
	}
}

func gear(name string) int8 {
	switch n, err := strconv.Atoi(name); {
	case name == "R":
		return -1
	case err == nil && n > 0 && n < 100:
		return int8(n)
	}
	return 0
}

func parseBeamNG(b []byte) (follow.Sample, error) {
	p, err := packets.ParseBeamNG(b)
	if err != nil {
		return follow.Sample{}, err
	}
	m := p.Motion()
	s := sampleOf("beamng", m)
	up, told := follow.ToWorld(s.Att, [3]float64{0, 0, 1}), p.UpWorld()
	agree := 0.02 + 2*math.Abs(m.NoseUp*m.RightDown) // of two unit vectors [1]; the order of the angles matters little
	if !(math.Hypot(math.Hypot(up[0]-told[0], up[1]-told[1]), up[2]-told[2]) <= agree) {
		return s, errOtherSigns
	}
	return s, nil
}

// errOtherSigns reports a packet that contradicts itself.
var errOtherSigns = errors.New("angles that contradict its other values: this version of the game has other signs, which rig does not know")

func parseOutSim(b []byte) (follow.Sample, error) {
	p, err := packets.ParseOutSim(b)
	if err != nil {
		return follow.Sample{}, err
	}
	s := sampleOf("outsim", p.Motion())
	s.Time, s.RPM = float64(p.Time)/1000, float64(p.EngineAngVel)*30/math.Pi
	s.Throttle, s.Brake, s.Clutch = float64(p.Throttle), float64(p.Brake), float64(p.Clutch)
	unknownRate(&s)
	return s, nil
}

// unknownRate leaves the rates to be taken from the attitudes: in which axes Live for Speed tells two of them is not
// documented.
func unknownRate(s *follow.Sample) {
	nan := math.NaN()
	s.Rate = [3]float64{nan, nan, nan}
}

// parseOutSimBasic reads the packet without options: that of OutSim2 from its time to its position.
func parseOutSimBasic(b []byte) (follow.Sample, error) {
	whole := append([]byte("LFST\x00\x00\x00\x00"), b[:lenOutSim]...)
	s, err := parseOutSim(append(whole, make([]byte, lenOutSim2-len(whole))...))
	nan := math.NaN()
	s.RPM, s.Throttle, s.Brake, s.Clutch, s.Gear, s.Travel = nan, nan, nan, nan, 0, [4]float64{nan, nan, nan, nan}
	return s, err
}

func parseForza(b []byte) (follow.Sample, error) {
	whole := make([]byte, 0, lenHorizon)
	switch len(b) {
	case lenHorizon:
		whole = append(whole, b...)
	case lenForzaSled:
		whole = append(whole, b...)
	default: // a dash without Horizon's extras, and with others behind it
		whole = append(append(append(whole, b[:lenForzaSled]...), make([]byte, horizonExtras)...), b[lenForzaSled:lenForzaDash]...)
	}
	p, err := packets.ParseForza(append(whole, make([]byte, lenHorizon-len(whole))...))
	if err != nil {
		return follow.Sample{}, err
	}
	s := sampleOf("forza", p.Motion())
	s.Time, s.Car, s.RPM = float64(p.TimestampMS)/1000, uint64(uint32(p.CarOrdinal)), float64(p.CurrentEngineRPM)
	s.Phase = follow.Menu
	if p.IsRaceOn == 1 {
		s.Phase = follow.Live
	}
	const full = 255
	s.Throttle, s.Brake, s.Clutch = float64(p.Accel)/full, float64(p.Brake)/full, float64(p.Clutch)/full
	for i := range s.Slip {
		s.Slip[i], s.Rumble[i] = math.Abs(float64(p.TireCombinedSlip[i])), float64(p.SurfaceRumble[i])
		if p.OnRumbleStrip[i] != 0 {
			s.Rumble[i] = max(s.Rumble[i], rumbleStrip)
		}
	}
	if len(b) == lenForzaSled {
		nan := math.NaN()
		s.Pos, s.Throttle, s.Brake, s.Clutch, s.Gear = [3]float64{nan, nan, nan}, nan, nan, nan, 0
	}
	return s, nil
}

func parseDirt(b []byte) (follow.Sample, error) {
	p, err := packets.ParseDirt(b)
	if err != nil {
		return follow.Sample{}, err
	}
	s := sampleOf("dirt", p.Motion())
	s.Time, s.RPM = float64(p.RunTime), 10*float64(p.EngineRate)
	s.Throttle, s.Brake, s.Clutch = float64(p.Throttle), float64(p.Brake), float64(p.Clutch)
	return s, nil
}
