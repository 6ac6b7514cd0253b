type Box = { left: number; right: number; top: number; bottom: number }
type Size = { width: number; height: number }

const gap = 6
const margin = 8

/** The position of a popup below its button, or above it if there is more room, always inside the screen. */
export function placePopup(
  anchor: Box,
  popup: Size,
  screen: Size,
  align: 'start' | 'end',
): { left: number; top: number } {
  const left = align === 'start' ? anchor.left : anchor.right - popup.width
  const below = anchor.bottom + gap
  const fitsBelow = below + popup.height <= screen.height - margin
  const isMoreRoomBelow = screen.height - anchor.bottom >= anchor.top
  const top = fitsBelow || isMoreRoomBelow ? below : anchor.top - gap - popup.height
  return {
    left: Math.max(margin, Math.min(left, screen.width - margin - popup.width)),
    top: Math.max(margin, Math.min(top, screen.height - margin - popup.height)),
  }
}
