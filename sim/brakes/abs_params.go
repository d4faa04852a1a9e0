package brakes

import (
	"errors"

	"rig.example/rig/internal/valid"
)

// ABS describes the hydraulic unit of the anti-lock brakes and what its control is set to.
type ABS struct {
	Slip     float64 `toml:"slip"`                // beyond which a wheel counts as locking, at level 5; 0 takes the tires' own
	Release  float64 `toml:"release_bar_per_s"`   // how fast its valves let pressure go
	Build    float64 `toml:"build_bar_per_s"`     // how fast they give it back, up to near the locking pressure
	YawDelay float64 `toml:"yaw_delay_bar_per_s"` // how fast a front wheel may go on building while the other one locks
	Slowest  float64 `toml:"slowest_mps"`         // below this speed wheels may lock
}

// defaultABS returns one that is set up for the tires that the car has.
func defaultABS() ABS {
	return ABS{Release: 1200, Build: 1000, YawDelay: 50, Slowest: 1.5}
}

// Validate returns an error that names every parameter that is out of range.
func (a ABS) Validate() error {
	return errors.Join(
		sized("slip", a.Slip, 0.02, 0.6),
		valid.InRange("release_bar_per_s", a.Release, 50, 10e3),
		valid.InRange("build_bar_per_s", a.Build, 50, 10e3),
		valid.InRange("yaw_delay_bar_per_s", a.YawDelay, 5, 10e3),
		valid.InRange("slowest_mps", a.Slowest, 0.5, 10),
	)
}

// Phases of a wheel's control. Off means that the ABS is switched off.
const (
	absOff     = iota
	absFollow  // the driver's pressure
	absBuild   // back towards the pressure at which it locked
	absHold    // until the wheel has caught up
	absRelease // until it stops losing speed
)

// ABSState is what the anti-lock brakes know of the car; 0 while they are off.
type ABSState struct {
	Reference float64 // speed of the car as its wheels show it [m/s], either way
	Guessed   float64 // time since a wheel last showed that speed [s]
	Slope     float64 // what the accelerometer feels of gravity [m/s²], positive uphill
}

// ABSWheel is what the anti-lock brakes know of a wheel; 0 while they are off.
type ABSWheel struct {
	Phase int8    // 0 off, 1 as the driver presses, 2 building, 3 holding, 4 releasing pressure
	Speed float64 // at the tread [m/s], either way
	Gain  float64 // of that speed, smoothed [m/s²]
	Lock  float64 // pressure at which it began to lock [bar]
	Time  float64 // in this phase [s]
	Most  float64 // pressure that its neighbour's locking leaves it [bar]; 0 is any
	Step  float64 // that its pressure may change by in this tick [bar]
}

// Releases reports whether it lets the wheel's pressure go now.
func (w *ABSWheel) Releases() bool { return w.Phase == absRelease }

// Works reports whether the ABS works at this wheel now.
func (w *ABSWheel) Works() bool { return w.Phase >= absBuild }
