// Package telemetry sends the state of a running rig to other programs, in layouts that they know from games.
//
// Its inputs are frames of a page, and the scene with the names and sizes of car and circuit. Its outputs are UDP
// packets and the shared memory SIMAPI.DAT. It runs outside of the loop in a process of its own, drops what a reader
// does not take, and never sends anything to a device. Axes and units are converted here, once for each layout.
package telemetry

import (
	"rig.example/rig/internal/frame"
)

// Source is where frames come from: a page.
type Source interface {
	Read(f *frame.Frame) bool // copies the newest frame; false if there is none yet
	Seq() uint64              // number of frames so far
}

// Sample is what a packet is made of.
type Sample struct {
	Frame *frame.Frame
	Scene *frame.Scene // names and sizes of car and circuit

	AngularAcceleration [3]float64 // [rad/s², body], from the change of Frame.Rate between two packets
}
