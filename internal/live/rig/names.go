package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/tunings"
)

// Names returns the names of all codes in a frame, for a platform whose actuators have the given names.
func Names(actuators []string) frame.Names {
	n := frame.Names{Tunings: tunings.Keys[:], Actuators: actuators, Tuned: drive.FactorNames()}
	for s := range guard.Stopped + 1 {
		n.States = append(n.States, s.String())
	}
	for e := range ffb.EffectCount {
		n.Effects = append(n.Effects, e.String())
	}
	for s := range motion.Waiting + 1 {
		n.PlatformStates = append(n.PlatformStates, s.String())
	}
	for fault := wire.Faults(1); fault.String() != "none"; fault <<= 1 {
		n.Faults = append(n.Faults, fault.String())
	}
	return n
}
