// Package reportstyle has the style sheet that the pages of all reports begin with: colors, light and dark, headings, notes
// and tables. It goes into a page, which adds what it alone needs.
package reportstyle

import (
	_ "embed"
	"html/template"
)

// CSS is the style sheet.
//
//go:embed style.css
var CSS template.CSS
