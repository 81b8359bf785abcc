# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Draws a picture before on the left of a line, and after on its right. The line follows
# the mouse while its button is pressed.

from gi.repository import Gdk, Graphene, Gtk


def make_colour(text):
    colour = Gdk.RGBA()
    colour.parse(text)
    return colour


# The line and its outline: colours and widths.
LINE = (make_colour("rgba(0,0,0,0.4)"), 4), (make_colour("white"), 2)


def make_rectangle(x, y, width, height):
    return Graphene.Rect().init(x, y, width, height)


def make_texture(picture):
    return Gdk.MemoryTexture.new(*picture.size, Gdk.MemoryFormat.R8G8B8A8, picture.data,
                                 picture.stride)


class Split(Gtk.Widget):
    """share: the part of the picture on the left of the line."""

    def __init__(self):
        super().__init__(hexpand=True, vexpand=True, overflow=Gtk.Overflow.HIDDEN)
        self.share = 0.5
        self.shape = 16 / 9
        self.textures = None
        drag = Gtk.GestureDrag()
        drag.connect("drag-begin", lambda drag, x, y: self._move_to(x))
        drag.connect("drag-update", self._follow)
        self.add_controller(drag)
        self.set_cursor_from_name("col-resize")

    def show_pictures(self, before, after):
        self.shape = before.shape
        self.textures = make_texture(before), make_texture(after)
        self.queue_draw()

    def get_area(self):
        """The largest area for the picture, in the middle: x, y, width and height."""
        room = self.get_width(), self.get_height()
        width = min(room[0], room[1] * self.shape)
        height = width / self.shape
        return (room[0] - width) / 2, (room[1] - height) / 2, width, height

    def _follow(self, drag, moved_x, moved_y):
        _, begin, _ = drag.get_start_point()
        self._move_to(begin + moved_x)

    def _move_to(self, x):
        left, _, width, _ = self.get_area()
        self.share = min(max((x - left) / width, 0), 1)
        self.queue_draw()

    def do_snapshot(self, snapshot):
        if not self.textures:
            return
        left, top, width, height = self.get_area()
        area = make_rectangle(left, top, width, height)
        line = left + self.share * width
        for texture, begin, end in zip(self.textures, (left, line), (line, left + width)):
            snapshot.push_clip(make_rectangle(begin, top, end - begin, height))
            snapshot.append_texture(texture, area)
            snapshot.pop()
        for colour, w in LINE:
            snapshot.append_color(colour, make_rectangle(line - w / 2, top, w, height))
