package setup

import (
	"context"
	"log/slog"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/display"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/tools/calibration"
	"rig.example/rig/internal/tools/check"
	"rig.example/rig/internal/tools/exercise"
)

// Machine is what the setup asks of this machine and its devices.
type Machine struct {
	Devices       func(config.Config) ([]check.Device, error)
	Monitors      func() []Monitor
	Window        func() error // why there can be no window, or nil
	MeasureWheel  func(context.Context, config.Config, *dialog.Dialog, calib.WheelOptions) (calib.WheelProfile, error)
	MeasurePedals func(context.Context, config.Config, *dialog.Dialog, calib.PedalsOptions) ([]calib.PedalsProfile, error)
	Button        func(context.Context, evdev.Info, time.Duration) (string, error)
	ReadSettings  func(context.Context, settings.Controller, *slog.Logger) ([]wire.Parameter, error)
	HomePlatform  func(context.Context, config.Config, time.Duration, exercise.MotionOptions) (exercise.MotionResult, error)
	Check         func(config.Config) []check.Finding
}

// ThisMachine returns the machine on which the program runs. features are checked too.
func ThisMachine(features []check.Feature) Machine {
	return Machine{
		Devices: func(c config.Config) ([]check.Device, error) { return check.Devices(c, features) }, Monitors: func() []Monitor { return monitors("/sys/class/drm") }, Window: display.Available,
		MeasureWheel: calibration.MeasureWheel, MeasurePedals: calibration.MeasurePedals, Button: calibration.Button,
		ReadSettings: settings.Read, HomePlatform: exercise.HomePlatform,
		Check: func(c config.Config) []check.Finding {
			return check.Examine(c, check.Options{Features: features}).Findings
		},
	}
}
