package brakes

import (
	"rig.example/rig/internal/kit/valid"
)

// ABS describes the hydraulic unit of the anti-lock brakes and the settings of its control.
type ABS struct {
	// slip beyond which a wheel counts as locking at level 5; level 1 takes 1.32 of it, level 10 takes 0.6. 0
	// takes the tires' own
	SlipLimit float64 `toml:"slip" range:"0 (by the tires) or 0.02..0.6"`
	// fall of the pressure while it is released
	ReleaseRate float64 `toml:"release_bar_per_s" range:"50..10000"`
	// rise of the pressure, up to near the pressure at which the wheel locked
	BuildRate float64 `toml:"build_bar_per_s" range:"50..10000"`
	// rise of a front wheel's pressure while the other front wheel locks (yaw moment delay)
	YawDelayRate float64 `toml:"yaw_delay_bar_per_s" range:"5..10000"`
	MinSpeed     float64 `toml:"slowest_mps" range:"0.5..10"` // speed below which the ABS does not work
}

// defaultABS returns an ABS that takes its slip from the car's tires.
func defaultABS() ABS {
	return ABS{ReleaseRate: 1200, BuildRate: 1000, YawDelayRate: 50, MinSpeed: 1.5}
}

// Validate returns an error that names every parameter that is out of range.
func (a ABS) Validate() error {
	return valid.Struct(a)
}

// Phases of the control of a wheel.
const (
	absOff     = iota // the ABS is switched off
	absFollow         // the pressure is that of the driver
	absBuild          // the pressure rises towards that at which the wheel locked
	absHold           // the pressure stays until the wheel rolls almost as fast as the car
	absRelease        // the pressure falls until the wheel gains speed
)

// ABSState holds the estimate of the car's motion by the ABS; 0 while the ABS is off.
type ABSState struct {
	Reference    float64 // estimated speed of the car [m/s], at least 0
	ReferenceAge float64 // time since a wheel last showed the car's speed [s]
	SlopeAccel   float64 // part of the accelerometer's reading that gravity on a sloping road causes [m/s²], positive uphill
}

// ABSWheel is the state of the ABS for one wheel; 0 while the ABS is off.
type ABSWheel struct {
	Phase        int8    // 0 off, 1 as the driver presses, 2 building, 3 holding, 4 releasing pressure
	Speed        float64 // circumferential speed [m/s], at least 0
	Accel        float64 // filtered rate of Speed [m/s²]
	LockPressure float64 // pressure at which the wheel began to lock [bar]
	PhaseTime    float64 // time in this phase [s]
	MaxPressure  float64 // largest pressure by the yaw moment delay [bar]; 0 for no limit
	PressureStep float64 // largest change of the pressure in this tick [bar]
}

// IsReleasing reports whether the ABS releases pressure at this wheel.
func (w *ABSWheel) IsReleasing() bool { return w.Phase == absRelease }

// IsActive reports whether the ABS controls this wheel's pressure.
func (w *ABSWheel) IsActive() bool { return w.Phase >= absBuild }
