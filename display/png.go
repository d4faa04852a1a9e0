package display

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"

	output "rig.example/rig/internal/sink"
)

// upright turns OpenGL's rows, which begin below, into a picture. It is opaque.
func upright(pixels []uint8, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		row := pixels[4*width*(height-1-y):]
		copy(img.Pix[y*img.Stride:], row[:4*width])
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 0xff
	}
	return img
}

// writePNG writes img to path, which holds a whole picture at every moment.
func writePNG(path string, img image.Image) error {
	const mode = 0o644
	err := output.Replace(path, mode, func(f *os.File) error { return errors.Join(png.Encode(f, img), f.Chmod(mode)) })
	if err != nil {
		return fmt.Errorf("display: screenshot: %w", err)
	}
	return nil
}
