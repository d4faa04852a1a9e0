package sink

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// FillLike writes a text to a file, which gets mode and owner of another one, as OwnLike gives it.
func FillLike(to *os.File, text []byte, like fs.FileInfo) error {
	return fillLike(to, bytes.NewReader(text), like)
}

func fillLike(to *os.File, from io.Reader, like fs.FileInfo) error {
	if err := OwnLike(to, like); err != nil {
		return err
	}
	_, err := io.Copy(to, from)
	return errors.Join(err, to.Chmod(like.Mode().Perm()))
}

// OwnLike gives an open file or folder the owner of another one. It does nothing unless root runs the program: nobody
// else may give files away.
func OwnLike(to *os.File, like fs.FileInfo) error {
	st, ok := like.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	return to.Chown(int(st.Uid), int(st.Gid))
}
