package display

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
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
func writePNG(path string, img image.Image) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".rig-*.png")
	if err != nil {
		return fmt.Errorf("display: screenshot: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close() // a second time does no harm
			os.Remove(f.Name())
			err = fmt.Errorf("display: screenshot: %w", err)
		}
	}()
	if err := png.Encode(f, img); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
