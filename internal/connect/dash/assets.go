package dash

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"time"
)

//go:embed web
var web embed.FS

// asset is a file of the page.
type asset struct {
	kind string // content type
	tag  string // changes with the content
	data []byte
}

// kinds are the content types of the files, by extension: they do not depend on the machine.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// assets returns the files of the page by their paths.
func assets() map[string]asset {
	entries, err := web.ReadDir("web")
	if err != nil {
		panic(err) // the files are part of the program
	}
	found := map[string]asset{}
	for _, e := range entries {
		data, err := web.ReadFile("web/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(data)
		found["/"+e.Name()] = asset{kind: kinds[path.Ext(e.Name())], tag: `"` + hex.EncodeToString(sum[:8]) + `"`, data: data}
	}
	found["/"] = found["/index.html"]
	return found
}

// serve answers with the file. A browser asks each time whether it has changed.
func (a asset) serve(w http.ResponseWriter, r *http.Request) *refusal {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", a.kind)
	h.Set("ETag", a.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.data))
	return nil
}
