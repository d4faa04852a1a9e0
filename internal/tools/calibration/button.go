package calibration

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// Button waits until a button of a device is pressed that was not held before, and returns its evdev name. It gives
// up after the time limit.
func Button(ctx context.Context, info evdev.Info, limit time.Duration) (name string, err error) {
	const period = 10 * time.Millisecond
	node, err := evdev.Open(info.Path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	input, err := evdev.NewInput(node, info.Axes)
	if err != nil {
		return "", fmt.Errorf("calib: %s: %w", info.Path, err)
	}
	var held map[string]bool
	for range limit / period {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		if err := input.Update(); err != nil {
			return "", fmt.Errorf("calib: %s: %w; plug it in and start again", info.Path, err)
		}
		down, pressed, err := newlyDown(info.Buttons, held, input.Down)
		if err != nil || pressed != "" {
			return pressed, err
		}
		held = down
		time.Sleep(period)
	}
	return "", fmt.Errorf("calib: no button of %s was pressed within %v; press it when asked", info.Name, limit)
}

// newlyDown returns which of the buttons are down, and one that is down and was not held before. Nothing was pressed
// before the first look, where held is nil.
func newlyDown(buttons []string, held map[string]bool, isDown func(code uint16) bool) (down map[string]bool, pressed string, err error) {
	down = map[string]bool{}
	for _, name := range buttons {
		code, err := evdev.KeyCode(name)
		if err != nil {
			return nil, "", err
		}
		if down[name] = isDown(code); down[name] && held != nil && !held[name] {
			pressed = name
		}
	}
	return down, pressed, nil
}
