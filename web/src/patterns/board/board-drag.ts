import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'

type CardDrag = { id: string; previewClass: string; start: (height: number) => void; end: () => void }

/** Lets the pointer drag a card. The preview is a copy of the card. Returns how to stop it. */
export const makeDraggable = (element: HTMLElement, { id, previewClass, start, end }: CardDrag): (() => void) =>
  draggable({
    element,
    getInitialData: () => ({ cardId: id }),
    onGenerateDragPreview: ({ nativeSetDragImage, location }) => {
      const { clientX, clientY } = location.current.input
      const { left, top } = element.getBoundingClientRect()
      setCustomNativeDragPreview({
        nativeSetDragImage,
        getOffset: () => ({ x: clientX - left, y: clientY - top }),
        render: ({ container }) => {
          const copy = element.cloneNode(true) as HTMLElement
          copy.classList.add(previewClass)
          copy.style.width = `${element.offsetWidth}px`
          container.append(copy)
        },
      })
    },
    onDragStart: () => start(element.offsetHeight),
    onDrop: end,
  })

type LaneDrop = {
  accepts: (cardId: string) => boolean
  enter: () => void
  leave: () => void
  drop: (id: string) => void
}

const cardOf = ({ data }: { data: Record<string, unknown> }): string | undefined =>
  typeof data.cardId === 'string' ? data.cardId : undefined

/** Lets cards be dropped on a lane. Returns how to stop it. */
export const makeDropTarget = (element: HTMLElement, { accepts, enter, leave, drop }: LaneDrop): (() => void) =>
  dropTargetForElements({
    element,
    canDrop: ({ source }) => {
      const id = cardOf(source)
      return id !== undefined && accepts(id)
    },
    getDropEffect: () => 'move',
    onDragEnter: enter,
    onDragLeave: leave,
    onDrop: ({ source }) => {
      leave()
      drop(cardOf(source)!)
    },
  })
