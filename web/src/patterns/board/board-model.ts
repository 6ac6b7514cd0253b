import type { ReactNode } from 'react'
import type { MenuItem } from '../../ui/menu-model.ts'

export type Card = { id: string }

export type Lane<Item extends Card> = {
  key: string
  label: string
  /** The accessible name, such as "Proposal, 4 deals". */
  name: string
  /** The dot of the lane. */
  mark: ReactNode
  count: number
  header: ReactNode
  items: readonly Item[]
  /** Below the cards, such as a button for more of them. */
  foot?: ReactNode
}

export type BoardActions<Item extends Card> = {
  activeId: string | undefined
  setActive: (id: string) => void
  openId: string | undefined
  open: (item: Item, isPage: boolean) => void
  /** Left out if the user must not move cards. */
  move?: (item: Item, laneKey: string) => void
  /** The position of a card in a lane, for the place that is shown while it is dragged. */
  placeOf: (item: Item, laneKey: string) => number
  dropText: (laneLabel: string) => string
  nameOf: (item: Item) => string
  menuLabel: (item: Item) => string
  menuOf: (item: Item) => readonly MenuItem[]
  renderCard: (item: Item) => ReactNode
}

export type Drag<Item extends Card> = { item: Item; height: number; overLane?: string }

export type SetDrag<Item extends Card> = (change: (drag: Drag<Item> | undefined) => Drag<Item> | undefined) => void
