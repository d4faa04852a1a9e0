//go:build cgo

package display

import (
	"fmt"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/internal/kit/printable"
)

// RendererName returns OpenGL's name of the graphics card, or of the program that draws in its place. It opens a
// window that is not shown. Call it on the main thread, and not in a process that drives.
func RendererName() (string, error) {
	if err := Available(); err != nil {
		return "", err
	}
	o, err := (Options{}).withDefaults()
	if err != nil {
		return "", err
	}
	if err := glfw.Init(); err != nil {
		return "", fmt.Errorf("display: %w; check DISPLAY and the X server", err)
	}
	defer glfw.Terminate()
	glfw.WindowHint(glfw.Visible, glfw.False)
	w, err := openWindow(o, 0)
	if err != nil {
		return "", err
	}
	defer w.Destroy()
	return printable.Name(gl.GoStr(gl.GetString(gl.RENDERER))), nil
}
