package games

import (
	"math"

	"rig.example/rig/internal/core/follow"
)

const (
	gravity = 9.80665 // [m/s²]
	degree  = math.Pi / 180
)

// Offsets in the packet of Richard Burns Rally's NGP plugin, whose fields of 4 bytes follow each other without gaps
// (rbr.telemetry.data.TelemetryData.h of its SDK).
const (
	lenRBR = 664

	rbrStage    = 4  // number of the stage
	rbrThrottle = 28 // then brake, handbrake, clutch
	rbrCar      = 56 // number of the car
	rbrPosition = 64
	rbrAngles   = 76  // roll, pitch, yaw [°]
	rbrSpeeds   = 88  // surge, sway, heave [m/s]; roll, pitch, yaw [°/s]
	rbrAccels   = 112 // surge, sway, heave [g]
	rbrEngine   = 136 // [1/min]
)

// parseRBR leaves gear and suspension out: their zero and their units are not documented.
func parseRBR(b []byte) (follow.Sample, error) {
	v := view(b)
	s := unknown("rbr")
	angles, rates := scaled(v.f32x3(rbrAngles), degree), scaled(v.f32x3(rbrSpeeds+12), degree)
	vel, acc := v.f32x3(rbrSpeeds), scaled(v.f32x3(rbrAccels), gravity)
	s.Car = uint64(v.u32(rbrStage))<<32 | uint64(v.u32(rbrCar))
	s.Pos, s.Att = rightAheadUp(v.f32x3(rbrPosition)), attitude(angles[2], angles[1], angles[0])
	s.Vel, s.Acc = vector{vel[0], -vel[1], vel[2]}, vector{acc[0], -acc[1], acc[2]}
	s.Rate = vector{rates[0], -rates[1], rates[2]}
	s.RPM, s.Throttle, s.Brake, s.Clutch = v.f32(rbrEngine), v.f32(rbrThrottle), v.f32(rbrThrottle+4), v.f32(rbrThrottle+12)
	return s, nil
}

// Offsets in the packet session_update of the structure wrc.json, which EA Sports WRC has by itself (telemetry/readme/udp of
// the game): channels without gaps, "positive left, up, forward".
const (
	lenWRC = 237

	wrcTime     = 8  // since the game began [s]
	wrcGear     = 37 // index, then those of neutral and reverse
	wrcPosition = 49
	wrcVelocity = 61 // [m/s, world]
	wrcAccel    = 73 // [m/s², world]
	wrcLeft     = 85
	wrcForward  = 97
	wrcTravel   = 121 // rear left, rear right, front left, front right [m]
	wrcEngine   = 193 // [1/min]
	wrcThrottle = 197 // then brake, clutch
)

func parseWRC(b []byte) (follow.Sample, error) {
	v := view(b)
	s := unknown("wrc")
	s.Time, s.Pos = v.f32(wrcTime), leftUpAhead(v.f32x3(wrcPosition))
	s.Att = attitudeOf(leftUpAhead(v.f32x3(wrcForward)), leftUpAhead(v.f32x3(wrcLeft)))
	s.Vel = follow.ToBody(s.Att, leftUpAhead(v.f32x3(wrcVelocity)))
	s.Acc = follow.ToBody(s.Att, leftUpAhead(v.f32x3(wrcAccel)))
	s.RPM, s.Throttle, s.Brake, s.Clutch = v.f32(wrcEngine), v.f32(wrcThrottle), v.f32(wrcThrottle+4), v.f32(wrcThrottle+8)
	switch gear := v[wrcGear]; gear {
	case v[wrcGear+1]:
		s.Gear = 0
	case v[wrcGear+2]:
		s.Gear = -1
	default:
		s.Gear = int8(min(gear, 100))
	}
	for i := range s.Travel {
		s.Travel[i] = v.f32(wrcTravel + 4*(i^2))
	}
	return s, nil
}
