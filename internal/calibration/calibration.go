// Package calibration measures the wheel and the pedals that a configuration would use, and keeps
// their profiles. In go the configuration, who is asked, and what to measure; out come the profiles
// and where they were kept. It opens each device by itself, and no force acts but in Force.
package calibration

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/evdev"
)

// Wheel measures the wheel that cfg would use, keeps its profile and
// returns where.
func Wheel(ctx context.Context, cfg config.Config, ui *calib.UI, opt calib.WheelOptions) (string, calib.WheelProfile, error) {
	nodes, err := evdev.List()
	if err != nil {
		return "", calib.WheelProfile{}, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return "", calib.WheelProfile{}, err
	}
	src, err := calib.Open(info)
	if err != nil {
		return "", calib.WheelProfile{}, err
	}
	defer src.Close()
	profile, err := calib.Wheel(ctx, src, ui, opt)
	if err != nil {
		return "", profile, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return "", profile, err
	}
	if before, err := store.Wheel(profile.Device); err == nil { // what was measured of its motor stays
		profile.MinLevel, profile.Gain, profile.Motor = before.MinLevel, before.Gain, before.Motor
	}
	path, err := store.SaveWheel(profile)
	return path, profile, err
}

// Force measures the motor of the wheel that cfg would use, adds that to its
// profile and returns where. No more than wheel.max_torque_nm is asked of it.
func Force(ctx context.Context, cfg config.Config, ui *calib.UI, opt calib.ForceOptions) (path string, profile calib.WheelProfile, err error) {
	nodes, err := evdev.List()
	if err != nil {
		return "", profile, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return "", profile, err
	}
	if !info.HasForce() {
		return "", profile, fmt.Errorf("rig: %s offers no constant force; `rig devices` tells why", info.Name)
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
	opt.FullNm, opt.MaxNm, opt.Gain = wheel.FullNm(cfg.Wheel, info), cfg.Wheel.MaxTorque, wheel.DriverGain(info)
	profile, err = calib.Force(ctx, src, ui, profile, opt)
	if err = errors.Join(err, src.Close()); err != nil {
		return "", profile, err
	}
	path, err = store.SaveWheel(profile)
	return path, profile, err
}

// Saved is a pedals' profile and where it is kept.
type Saved struct {
	Path    string              `json:"path"`
	Profile calib.PedalsProfile `json:"profile"`
}

// Pedals measures the pedals that cfg would use, those on converters
// first, keeps their profiles, one for each device, and returns where. What was
// saved before an error stays.
func Pedals(ctx context.Context, cfg config.Config, ui *calib.UI, opt calib.PedalsOptions) ([]Saved, error) {
	store, err := cfg.ProfileStore()
	if err != nil {
		return nil, err
	}
	var saved []Saved
	measure := func(src calib.Source, opt calib.PedalsOptions) error {
		profile, err := calib.Pedals(ctx, src, ui, opt)
		if err != nil {
			return err
		}
		path, err := store.SavePedals(profile)
		if err == nil {
			saved = append(saved, Saved{path, profile})
		}
		return err
	}
	rest := opt.Names
	for _, chip := range cfg.Pedals.ADC.Chips() {
		on := opt
		on.Names, rest = split(rest, chip)
		if len(on.Names) == 0 {
			continue
		}
		if err := calibrateChip(cfg.Pedals.ADC, on, measure); err != nil {
			return saved, err
		}
	}
	opt.Names = rest
	if len(rest) == 0 {
		return saved, nil
	}
	return saved, calibrateNode(cfg, store, opt, measure)
}

// split returns those of names that are among chosen, and the others.
func split(names, chosen []string) (in, out []string) {
	for _, n := range names {
		if slices.Contains(chosen, n) {
			in = append(in, n)
		} else {
			out = append(out, n)
		}
	}
	return in, out
}

func calibrateChip(list analog.ADCs, opt calib.PedalsOptions, measure func(calib.Source, calib.PedalsOptions) error) error {
	src, err := analog.Open(list, opt.Names[0])
	if err != nil {
		return err
	}
	return errors.Join(measure(src, opt), src.Close())
}

// calibrateNode measures pedals on an input node. Where throttle and brake are
// elsewhere there need not be any.
func calibrateNode(cfg config.Config, store calib.Store, opt calib.PedalsOptions, measure func(calib.Source, calib.PedalsOptions) error) error {
	nodes, err := evdev.List()
	if err != nil {
		return err
	}
	info, err := pedals.Choose(nodes, cfg.Pedals.Device, store)
	if err != nil && cfg.Pedals.Owns() && cfg.Pedals.Device == "" {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Kind == evdev.KindWheel {
		opt.Except = append(opt.Except, "ABS_X", "ABS_WHEEL") // the steering is no pedal
	}
	src, err := calib.Open(info)
	if err != nil {
		return err
	}
	return errors.Join(measure(src, opt), src.Close())
}
