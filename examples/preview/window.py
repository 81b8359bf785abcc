# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The window: the film, the controls, what is known about both, and the command.

import time

from gi.repository import Gdk, GLib, Gtk, Pango

import controls
from split import Split

SIZE = 1120, 620
SIDE_WIDTH = 330
HOLD = "Enters them as the palette; empty it to let them go"
STYLE = b"""
.side { padding: 14px; }
.side .heading { margin-top: 8px; }
.film { background: #111; }
.film label { background: rgba(0, 0, 0, 0.6); color: white; border-radius: 6px;
  padding: 3px 10px; margin: 10px; }
.bottom { padding: 8px 14px; }
.bottom .monospace { font-size: 90%; }
.bottom .message { color: #ffcc66; }
scale { padding: 0 6px; }
entry.error { color: #ff8a80; }
"""


def is_live(texts):
    return texts["quality"] == "live"


def is_bilateral(texts):
    return texts["kernel"] == "bilateral"


def is_free(texts):
    """Whether the colours are those of the frames."""
    return is_live(texts) and not texts["palette"].strip()


# For each element its properties, and which texts of all properties give them an effect.
PROPERTIES = {
    "gpublur": {
        "sigma": lambda texts: True,
        "kernel": lambda texts: True,
        "range": is_bilateral,
        "rounds": is_bilateral,
    },
    "meanshiftpalette": {
        "quality": lambda texts: True,
        "radius": lambda texts: not is_free(texts) or texts["colors"] == "0",
        "colors": is_free,
        "chroma": lambda texts: True,
        "stability": is_live,
        "palette": is_live,
    },
}


class Window:
    def __init__(self, film, end):
        """end() is called when the user closes the window, or after a failure."""
        self.film = film
        self.end = end
        self.failure = None
        self.n_frames = 0
        self.since = time.monotonic()
        self.split = Split()
        self.message = make_label(visible=False, css_classes=["message"])
        self.progress = make_label(visible=False, valign=Gtk.Align.END)
        self.state = make_label(css_classes=["dim-label"])
        self.command = make_label(css_classes=["monospace"], hexpand=True, selectable=True,
                                  wrap_mode=Pango.WrapMode.WORD_CHAR, lines=3,
                                  ellipsize=Pango.EllipsizeMode.END)
        self.controls = {}
        self.window = self._make_window()
        self._update()
        GLib.timeout_add_seconds(1, self._show_state)
        self.window.present()

    def show(self, before, after):
        self.n_frames += 1
        self.size = before.size
        self.split.show_pictures(before, after)

    def tell(self, text):
        fill(self.message, text)

    def show_progress(self, text):
        fill(self.progress, text)

    def fail(self, failure):
        self.failure = self.failure or failure
        self.end()

    def get_command(self):
        settings = {element: {name: self.controls[name].text for name in names
                              if self.controls[name].has_effect()}
                    for element, names in PROPERTIES.items()}
        return self.film.get_command(settings)

    def _make_window(self):
        apply_style()
        window = Gtk.Window(title="gpublur and meanshiftpalette", default_width=SIZE[0],
                            default_height=SIZE[1])
        window.connect("close-request", lambda _: self.end())
        film = Gtk.Overlay(child=self.split, css_classes=["film"])
        film.add_overlay(make_label("before", valign=Gtk.Align.START))
        film.add_overlay(make_label("after", valign=Gtk.Align.START, halign=Gtk.Align.END))
        film.add_overlay(self.progress)
        top = Gtk.Box()
        top.append(film)
        top.append(self._make_side())
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        content.append(top)
        content.append(self._make_bottom())
        window.set_child(content)
        return window

    def _make_side(self):
        side = Gtk.Grid(css_classes=["side"], row_spacing=6, column_spacing=10,
                        width_request=SIDE_WIDTH, hexpand=False)
        row = 0
        for element, names in PROPERTIES.items():
            side.attach(make_label(element, css_classes=["heading"]), 0, row, 2, 1)
            for row, name in enumerate(names, row + 1):
                control = self._make_control(element, name)
                side.attach(control.label, 0, row, 1, 1)
                side.attach(control.widget, 1, row, 1, 1)
            row += 1
        self.hold = Gtk.Button(label="Hold the colours shown", tooltip_text=HOLD)
        self.hold.connect("clicked", self._hold)
        side.attach(self.hold, 1, row, 1, 1)
        return side

    def _make_control(self, element, name):
        control = controls.make(self.film.elements[element], name,
                                lambda text: self._set(element, name, text), self._update)
        self.controls[name] = control
        return control

    def _make_bottom(self):
        copy = Gtk.Button(label="Copy", valign=Gtk.Align.CENTER)
        copy.connect("clicked", self._copy)
        line = Gtk.Box(spacing=12)
        line.append(self.command)
        line.append(copy)
        bottom = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6,
                         css_classes=["bottom"])
        bottom.append(self.message)
        bottom.append(self.state)
        bottom.append(line)
        return bottom

    def _set(self, element, name, text):
        self.tell("")
        return self.film.set(element, name, text)

    def _update(self):
        texts = {name: control.text for name, control in self.controls.items()}
        for names in PROPERTIES.values():
            for name, matters in names.items():
                self.controls[name].set_sensitive(matters(texts))
        self.hold.set_sensitive(is_free(texts))
        self.command.set_text(self.get_command())

    def _show_state(self):
        now = time.monotonic()
        rate = self.n_frames / (now - self.since)
        self.since, self.n_frames = now, 0
        stats = self.film.get_stats()
        if rate and stats.has_field("device"):
            self.state.set_text(
                f"{stats.get_value('device')}  ·  {self._describe_size()}  ·  {rate:.1f}"
                f" frames a second  ·  {stats.get_value('modes')} colours")
        return GLib.SOURCE_CONTINUE

    def _describe_size(self):
        source_size = self.film.get_source_size()
        if source_size == self.size:
            return show_size(self.size)
        return (f"{show_size(self.size)}, scaled from {show_size(source_size)} for the CPU"
                " (--full-size: not scaled)")

    def _hold(self, button):
        """Not by the property hold: another run would hold the colours of its own first
        frame."""
        self.controls["palette"].enter(self.film.get_palette())

    def _copy(self, button):
        self.window.get_clipboard().set(self.get_command())


def show_size(size):
    return f"{size[0]} × {size[1]}"


def make_label(text="", **properties):
    properties = {"halign": Gtk.Align.START, "xalign": 0, "wrap": True, **properties}
    return Gtk.Label(label=text, **properties)


def fill(label, text):
    label.set_text(text)
    label.set_visible(bool(text))


def apply_style():
    display = Gdk.Display.get_default()
    settings = Gtk.Settings.get_for_display(display)
    if hasattr(Gtk, "InterfaceColorScheme"):
        # GTK 4.20 and newer warn about the older property.
        settings.props.gtk_interface_color_scheme = Gtk.InterfaceColorScheme.DARK
    else:
        settings.props.gtk_application_prefer_dark_theme = True
    style = Gtk.CssProvider()
    style.load_from_data(STYLE)
    Gtk.StyleContext.add_provider_for_display(display, style,
                                              Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
