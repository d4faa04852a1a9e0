package display

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"

	"rig.example/rig/internal/kit/sink"
)

// imageFromRows returns OpenGL's RGBA rows, which run from the bottom up, as an opaque image.
func imageFromRows(pixels []uint8, width, height int) *image.RGBA {
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

// writePNG writes img to path, replacing a file there atomically.
func writePNG(path string, img image.Image) error {
	const mode = 0o644
	err := sink.Replace(path, mode, func(f *os.File) error { return errors.Join(png.Encode(f, img), f.Chmod(mode)) })
	if err != nil {
		return fmt.Errorf("display: screenshot: %w", err)
	}
	return nil
}
