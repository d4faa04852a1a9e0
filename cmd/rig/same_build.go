package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/version"
)

// sameBuild returns a text that only programs share that give the same bits: version, commit and target, and unless the
// commit says all, the digest of the program's file.
var sameBuild = sync.OnceValues(func() (string, error) {
	v := version.Current()
	if v.IsClean() {
		return v.String(), nil
	}
	f, err := os.Open("/proc/self/exe") // also if the file was replaced since
	if err != nil {
		return "", fmt.Errorf("the program's own file cannot be read, which tells builds without a commit apart: %w", sink.WithoutPath(err))
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("the program's own file cannot be read, which tells builds without a commit apart: %w", sink.WithoutPath(err))
	}
	return fmt.Sprintf("%s file %x", v, sum.Sum(nil)[:6]), nil
})
