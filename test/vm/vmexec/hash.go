package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// printHash prints a hash of all that the machine consists of: file system with the tests, their arguments and
// environment, kernel, and QEMU with its arguments.
func (m machine) printHash() error {
	version, err := exec.Command(qemu, "--version").Output()
	if err != nil {
		return fmt.Errorf("%s: %w", qemu, err)
	}
	h := sha256.New()
	elsewhere := machine{icount: m.icount, cpus: m.cpus, memory: m.memory} // without this run's folder
	fmt.Fprintf(h, "%s%q\n", version, elsewhere.args())
	for _, path := range []string{m.kernel, m.initrd} {
		if err := add(h, path); err != nil {
			return err
		}
	}
	fmt.Printf("%x\n", h.Sum(nil))
	return nil
}

func add(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
