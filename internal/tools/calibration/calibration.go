// Package calibration measures the wheel and the pedals that a configuration uses, and saves their profiles.
// The configuration, the dialog with the operator and the options of a measurement go in; the profiles and
// their paths come out. The package opens each device itself. It never pushes the rim except in Force and in
// the sign test of Wheel.
package calibration

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
)

// Wheel calibrates the wheel that cfg selects, saves its profile and returns the path of the profile.
func Wheel(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.WheelOptions) (string, calib.WheelProfile, error) {
	profile, err := MeasureWheel(ctx, cfg, ui, opt)
	if err != nil {
		return "", profile, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return "", profile, err
	}
	path, err := SaveWheel(store, &profile)
	return path, profile, err
}

// MeasureWheel calibrates the wheel that cfg selects, and saves nothing.
func MeasureWheel(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.WheelOptions) (calib.WheelProfile, error) {
	nodes, err := evdev.List()
	if err != nil {
		return calib.WheelProfile{}, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return calib.WheelProfile{}, err
	}
	src, err := calib.Open(info)
	if err != nil {
		return calib.WheelProfile{}, err
	}
	defer src.Close()
	return calib.Wheel(ctx, src, ui, opt)
}

// SaveWheel saves the profile of MeasureWheel and returns its path. It adds the measurement of the motor that the
// profile before had.
func SaveWheel(store calib.Store, profile *calib.WheelProfile) (string, error) {
	if saved, err := store.Wheel(profile.Device); err == nil {
		profile.MinLevel, profile.Gain, profile.Motor = saved.MinLevel, saved.Gain, saved.Motor
	}
	return store.SaveWheel(*profile)
}

// Force measures the motor of the wheel that cfg selects, adds the result to its profile and returns the path
// of the profile. It never asks for more torque than wheel.max_torque_nm.
func Force(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.ForceOptions) (path string, profile calib.WheelProfile, err error) {
	nodes, err := evdev.List()
	if err != nil {
		return "", profile, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return "", profile, err
	}
	if !info.HasForce() {
		return "", profile, fmt.Errorf("rig: %s offers no constant force; `rig devices` shows why", info.Name)
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return "", profile, err
	}
	if profile, err = store.Wheel(calib.IdentityOf(info)); err != nil {
		return "", profile, err
	}
	src, err := calib.Open(info)
	if err != nil {
		return "", profile, err
	}
	opt.FullNm, opt.MaxNm, opt.Gain = wheel.FullTorque(cfg.Wheel, info), cfg.Wheel.MaxTorque, wheel.DriverGain(info)
	profile, err = calib.Force(ctx, src, ui, profile, opt)
	if err = errors.Join(err, src.Close()); err != nil {
		return "", profile, err
	}
	path, err = store.SaveWheel(profile)
	return path, profile, err
}

// Saved is a saved profile of pedals, with its path.
type Saved struct {
	Path    string              `json:"path"`
	Profile calib.PedalsProfile `json:"profile"`
}

// Pedals calibrates the pedals that cfg selects, those on converters first. It saves one profile for each
// device and returns them. After an error it returns those that were saved before.
func Pedals(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.PedalsOptions) ([]Saved, error) {
	store, err := cfg.ProfileStore()
	if err != nil {
		return nil, err
	}
	var saved []Saved
	err = measurePedals(ctx, cfg, ui, opt, func(profile calib.PedalsProfile) error {
		path, err := store.SavePedals(profile)
		if err == nil {
			saved = append(saved, Saved{path, profile})
		}
		return err
	})
	return saved, err
}

// MeasurePedals calibrates the pedals that cfg selects, as Pedals does, and saves nothing.
func MeasurePedals(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.PedalsOptions) (profiles []calib.PedalsProfile, err error) {
	err = measurePedals(ctx, cfg, ui, opt, func(profile calib.PedalsProfile) error {
		profiles = append(profiles, profile)
		return nil
	})
	return profiles, err
}

// measurePedals calls done with the profile of each device that has pedals.
func measurePedals(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.PedalsOptions, done func(calib.PedalsProfile) error) error {
	measure := func(src calib.Source, opt calib.PedalsOptions) error {
		profile, err := calib.Pedals(ctx, src, ui, opt)
		if err != nil {
			return err
		}
		return done(profile)
	}
	remaining := opt.Names
	for _, onConverter := range cfg.Pedals.ADC.Chips() {
		converterOpt := opt
		converterOpt.Names, remaining = partition(remaining, onConverter)
		if len(converterOpt.Names) == 0 {
			continue
		}
		if err := calibrateConverter(cfg.Pedals.ADC, converterOpt, measure); err != nil {
			return err
		}
	}
	opt.Names = remaining
	if len(remaining) == 0 {
		return nil
	}
	return calibrateNode(cfg, opt, measure)
}

// partition returns those names that are among chosen, and the others.
func partition(names, chosen []string) (in, out []string) {
	for _, n := range names {
		if slices.Contains(chosen, n) {
			in = append(in, n)
		} else {
			out = append(out, n)
		}
	}
	return in, out
}

// calibrateConverter calibrates the pedals opt.Names, which are all on one converter.
func calibrateConverter(list analog.ADCs, opt calib.PedalsOptions, measure func(calib.Source, calib.PedalsOptions) error) error {
	src, err := analog.Open(list, opt.Names[0])
	if err != nil {
		return err
	}
	return errors.Join(measure(src, opt), src.Close())
}

// calibrateNode calibrates the pedals on an input node. A missing node is no error if cfg names none and has
// throttle and brake on other devices.
func calibrateNode(cfg config.Config, opt calib.PedalsOptions, measure func(calib.Source, calib.PedalsOptions) error) error {
	store, err := cfg.ProfileStore()
	if err != nil {
		return err
	}
	nodes, err := evdev.List()
	if err != nil {
		return err
	}
	info, err := pedals.Choose(nodes, cfg.Pedals.Device, store)
	if err != nil && cfg.Pedals.CoversThrottleAndBrake() && cfg.Pedals.Device == "" {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Kind == evdev.KindWheel {
		opt.Except = append(opt.Except, "ABS_X", "ABS_WHEEL") // the steering axis is not a pedal
	}
	src, err := calib.Open(info)
	if err != nil {
		return err
	}
	return errors.Join(measure(src, opt), src.Close())
}
