package rig

import (
	"context"

	"rig/calib"
	"rig/devices/pedals"
	"rig/devices/wheel"
	"rig/internal/config"
	"rig/internal/evdev"
)

// CalibrateWheel measures the wheel that cfg would use, keeps its profile and
// returns where.
func CalibrateWheel(ctx context.Context, cfg config.Config, ui *calib.UI, opt calib.WheelOptions) (string, calib.WheelProfile, error) {
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
	store, err := profileStore(cfg)
	if err != nil {
		return "", profile, err
	}
	path, err := store.SaveWheel(profile)
	return path, profile, err
}

// CalibratePedals measures the pedals that cfg would use, keeps their profile
// and returns where.
func CalibratePedals(ctx context.Context, cfg config.Config, ui *calib.UI, opt calib.PedalsOptions) (string, calib.PedalsProfile, error) {
	nodes, err := evdev.List()
	if err != nil {
		return "", calib.PedalsProfile{}, err
	}
	store, err := profileStore(cfg)
	if err != nil {
		return "", calib.PedalsProfile{}, err
	}
	info, err := pedals.Choose(nodes, cfg.Pedals.Device, store)
	if err != nil {
		return "", calib.PedalsProfile{}, err
	}
	if info.Kind == evdev.KindWheel {
		opt.Except = append(opt.Except, "ABS_X", "ABS_WHEEL") // the steering is no pedal
	}
	src, err := calib.Open(info)
	if err != nil {
		return "", calib.PedalsProfile{}, err
	}
	defer src.Close()
	profile, err := calib.Pedals(ctx, src, ui, opt)
	if err != nil {
		return "", profile, err
	}
	path, err := store.SavePedals(profile)
	return path, profile, err
}
