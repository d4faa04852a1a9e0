//go:build !cgo

package display

import (
	"context"
	"errors"

	"rig.example/rig/internal/core/framepage"
)

// hasWindow reports whether this build can open a window.
const hasWindow = false

var errNoCgo = errors.New("display: this binary was built without cgo and has no window; build it with CGO_ENABLED=1, a C compiler and the X11 and OpenGL headers (Debian: gcc xorg-dev libgl1-mesa-dev), or run with --headless")

func run(context.Context, *framepage.Page, Options) error { return errNoCgo }

// ShowPattern returns errNoCgo.
func ShowPattern(context.Context, Options) error { return errNoCgo }

// Monitors returns errNoCgo.
func Monitors() ([]Monitor, error) { return nil, errNoCgo }

// RendererName returns errNoCgo.
func RendererName() (string, error) { return "", errNoCgo }
