package packets

import (
	"encoding/binary"
	"math"

	"rig.example/rig/internal/connect/session"
)

// stateSize is the length of a state [bytes].
const stateSize = 56

// Steps of the numbers of a state.
const (
	timeStep     = 1000          // [ns]
	posStep      = 1e-3          // [m]
	velStep      = 200.0 / 32767 // [m/s]
	rateStep     = 100.0 / 32767 // [rad/s]
	accStep      = 1e3 / 32767   // [m/s²]
	steerStep    = 1e-4          // [rad]
	brakeStep    = 1.0 / 255
	distanceStep = 1e-2 // [m]

	attBits = 15 // of each of three parts of a quaternion
	attStep = math.Sqrt2 / (1<<attBits - 2)
	maxFlag = 1<<12 - 1 // flags share a word with the gear
)

// steps returns v as a number of steps, rounded and limited to ±limit; NaN is 0.
func steps(v, step float64, limit int64) int64 {
	n := math.Round(v / step)
	switch {
	case n >= float64(limit):
		return limit
	case n <= -float64(limit):
		return -limit
	case n != n:
		return 0
	}
	return int64(n)
}

func appendState(b []byte, s *session.State) []byte {
	at := uint64(max(0, s.At/timeStep))
	b = append(b, byte(s.Slot))
	b = binary.LittleEndian.AppendUint32(b, uint32(at))
	b = binary.LittleEndian.AppendUint16(b, uint16(at>>32))
	for _, v := range s.Pos {
		b = binary.LittleEndian.AppendUint32(b, uint32(steps(v, posStep, math.MaxInt32)))
	}
	att := packAttitude(s.Att)
	b = binary.LittleEndian.AppendUint32(b, uint32(att))
	b = binary.LittleEndian.AppendUint16(b, uint16(att>>32))
	for _, g := range [...]struct {
		values [3]float64
		step   float64
	}{{s.Vel, velStep}, {s.Rate, rateStep}, {s.Acc, accStep}} {
		for _, v := range g.values {
			b = binary.LittleEndian.AppendUint16(b, uint16(steps(v, g.step, math.MaxInt16)))
		}
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(steps(s.Steer, steerStep, math.MaxInt16)))
	b = binary.LittleEndian.AppendUint16(b, uint16(max(0, steps(s.RPM, 1, math.MaxUint16))))
	b = append(b, byte(max(0, steps(s.Brake, brakeStep, math.MaxUint8))))
	b = binary.LittleEndian.AppendUint16(b, uint16(max(0, min(s.Laps, math.MaxUint16))))
	b = binary.LittleEndian.AppendUint32(b, uint32(steps(s.Distance, distanceStep, math.MaxInt32)))
	return binary.LittleEndian.AppendUint16(b, uint16(s.Flags&maxFlag)<<4|uint16(max(-1, min(s.Gear, 14))+1))
}

// parseState sets s to the state in b, which has stateSize bytes. It returns an error for what no car can have.
func parseState(b []byte, s *session.State) error {
	u16 := func(i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
	u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
	*s = session.State{Slot: int(b[0]), At: int64(uint64(u32(1))|uint64(u16(5))<<32) * timeStep}
	for i := range 3 {
		s.Pos[i] = float64(int32(u32(7+4*i))) * posStep
		s.Vel[i] = float64(int16(u16(25+2*i))) * velStep
		s.Rate[i] = float64(int16(u16(31+2*i))) * rateStep
		s.Acc[i] = float64(int16(u16(37+2*i))) * accStep
	}
	s.Att = unpackAttitude(uint64(u32(19)) | uint64(u16(23))<<32)
	s.Steer = float64(int16(u16(43))) * steerStep
	s.RPM = float64(u16(45))
	s.Brake = float64(b[47]) * brakeStep
	s.Laps = int(u16(48))
	s.Distance = float64(int32(u32(50))) * distanceStep
	s.Flags, s.Gear = session.StateFlags(u16(54)>>4), int(u16(54)&15)-1
	return s.Check()
}

// packAttitude returns q as the three smaller of its parts and the index of the largest, which follows from them.
func packAttitude(q [4]float64) uint64 {
	largest := 0
	for i := range q {
		if math.Abs(q[i]) > math.Abs(q[largest]) {
			largest = i
		}
	}
	const offset = 1<<(attBits-1) - 1
	word, sign := uint64(largest), math.Copysign(1, q[largest])
	for i, v := range q {
		if i != largest {
			word = word<<attBits | uint64(steps(sign*v, attStep, offset)+offset)
		}
	}
	return word
}

// unpackAttitude returns the quaternion of a word, or zeros if no quaternion of length 1 has it.
func unpackAttitude(word uint64) (q [4]float64) {
	const offset = 1<<(attBits-1) - 1
	largest, left := int(word>>(3*attBits)&3), 1.0
	for i, shift := 0, 2*attBits; i < 4; i++ {
		if i == largest {
			continue
		}
		q[i] = float64(int64(word>>shift&(1<<attBits-1))-offset) * attStep
		left -= q[i] * q[i]
		shift -= attBits
	}
	if left < 0 {
		return [4]float64{}
	}
	q[largest] = math.Sqrt(left)
	return q
}
