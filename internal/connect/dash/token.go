package dash

import (
	"bytes"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// tokenShape matches tokens: 128 bits in base 32, in lower case.
var tokenShape = regexp.MustCompile(`^[a-z2-7]{26}$`)

// Token returns the token in the file at path, and creates the file with a new random token if there is none. It
// refuses a file that another user owns or that others may read or write, links, and all that is no regular file.
func Token(path string) (string, error) {
	token, err := readToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		token, err = createToken(path)
		if errors.Is(err, fs.ErrExist) { // another process was quicker
			token, err = readToken(path)
		}
	}
	if err != nil {
		return "", fmt.Errorf("dash: token: %w", err)
	}
	return token, nil
}

func readToken(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.ELOOP) {
		return "", fmt.Errorf("%s is a symbolic link; remove it, rig makes a new file", path)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := checkTokenFile(f); err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return "", err
	}
	text = bytes.TrimSpace(text)
	if !tokenShape.Match(text) {
		return "", fmt.Errorf("%s has no token of 26 letters and digits; remove it, rig makes a new one", path)
	}
	return string(text), nil
}

// checkTokenFile returns an error unless only its owner, who is this process's user, has access to f.
func checkTokenFile(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; remove it, rig makes a new one", f.Name())
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; int(owner) != os.Geteuid() {
		return fmt.Errorf("%s belongs to user %d, rig runs as user %d; remove it, rig makes a new one", f.Name(), owner, os.Geteuid())
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%s has mode %#o, so others may use it; remove it, rig makes a new one", f.Name(), mode)
	}
	return nil
}

// createToken writes a new token to the file at path. If the file exists, the error is fs.ErrExist.
func createToken(path string) (string, error) {
	var random [16]byte
	rand.Read(random[:]) // never fails: the program ends without random numbers
	token := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random[:]))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(token + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return token, nil
}
