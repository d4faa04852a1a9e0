// Package telemetry sends the state of a running rig to other programs, in layouts that they know from games.
//
// Its inputs are frames of a page, and the scene with the names and sizes of car and circuit. Its outputs are UDP
// packets and the shared memory SIMAPI.DAT. It runs outside of the loop in a process of its own, drops what a reader
// does not take, and never sends anything to a device. Axes and units are converted here, once for each layout.
package telemetry

import (
	"math"
	"strconv"

	"rig.example/rig/internal/kit/valid"
)

// Append appends the packet of a format, one of those of Out.Format.
func Append(b []byte, format string, s *Sample) []byte {
	switch format {
	case formatSimAPI:
		return appendSimAPI(b, s)
	case "outgauge":
		return appendOutGauge(b, s)
	case "outsim":
		return appendOutSim(b, s)
	case "forza":
		return appendForza(b, s)
	case "beamng":
		return appendBeamNG(b, s)
	case "dirt":
		return appendDirt(b, s)
	case "json":
		return appendJSON(b, s)
	}
	return b
}

func abs(v float64) float64 { return math.Abs(v) }

// decimal returns a number with that many decimals, or - if it is not known.
func decimal(v float64, decimals int) string {
	if !valid.Finite(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
