package picture

import (
	"os"
	"path/filepath"
	"testing"
)

type drawing struct{}

func (drawing) Render(format string) ([]byte, error) { return []byte(format), nil }

func TestOnlyPictureNamesAreWritten(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{"a.svg": "svg", "b.PNG": "png"} {
		path := filepath.Join(dir, name)
		if err := Write(drawing{}, "test", "--plot", path); err != nil {
			t.Error(err)
		}
		if data, err := os.ReadFile(path); string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	const want = `--plot: "a.pdf": end the name with .svg or .png`
	if err := Write(drawing{}, "test", "--plot", "a.pdf"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := CheckName("--plot", ""); err != nil {
		t.Error(err)
	}
}
