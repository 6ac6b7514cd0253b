import { type ReactNode, useEffect, useRef } from 'react'
import { openDialogs } from '../ui/open-dialogs.ts'
import { preferences } from './preferences.ts'

/** An action of the user. Buttons, keys, the command menu and the list of shortcuts read the same definition. */
export type Command = {
  id: string
  label: string
  group: string
  /** Such as `c`, `Shift+x`, `Mod+k`, `g h` or `?`. */
  keys?: readonly string[]
  /** A command that cannot run now is left out. */
  isAvailable?: boolean
  /** Whether the command menu offers it. The list of shortcuts contains all commands with keys. */
  isListed?: boolean
  icon?: ReactNode
  /** The page that the command opens, if it can also be opened in a new tab. */
  path?: string
  run: () => void
}

type Registration = { commands: readonly Command[] }

const registrations: Registration[] = []
const sequenceMs = 1_000
let pendingKey: { key: string; at: number } | undefined

/** Registers commands while the component is shown. Those of the component that was shown last come first. */
export function useCommands(commands: readonly Command[]): void {
  const registration = useRef<Registration>({ commands })
  registration.current.commands = commands
  useEffect(() => {
    const current = registration.current
    registrations.push(current)
    return () => {
      registrations.splice(registrations.indexOf(current), 1)
    }
  }, [])
}

export const listCommands = (): Command[] =>
  registrations
    .toReversed()
    .flatMap(({ commands }) => commands)
    .filter(({ isAvailable }) => isAvailable !== false)
    .filter(({ id }, at, all) => all.findIndex((command) => command.id === id) === at)

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

/** Controls react to these keys themselves. Ctrl+Enter is the next step of a page, also on a button. */
const ownsKey = ({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.closest('[role=menu], [role=listbox]') !== null ||
    (['Enter', ' '].includes(key) &&
      !ctrlKey &&
      !metaKey &&
      target.closest('button, a, summary, [role=checkbox]') !== null))

/** Keys that edit a text, such as Ctrl+A, which selects it. */
const editingKeys = ['Mod+a', 'Mod+c', 'Mod+v', 'Mod+x', 'Mod+z']

export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || openDialogs.get() > 0 || ownsKey(event)) return
  const key = describeKey(event)
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if ((isPlain || editingKeys.includes(key)) && isField(event.target)) return
  if (isPlain && !preferences.get().hasShortcuts && key.length === 1) return
  const isSequence = pendingKey !== undefined && Date.now() - pendingKey.at < sequenceMs
  const pressed = isSequence ? `${pendingKey!.key} ${key}` : key
  const commands = listCommands()
  const command = commands.find(({ keys = [] }) => keys.includes(pressed))
  pendingKey = undefined
  if (command) {
    event.preventDefault()
    command.run()
  } else if (commands.some(({ keys = [] }) => keys.some((one) => one.startsWith(`${pressed} `)))) {
    pendingKey = { key: pressed, at: Date.now() }
  }
}

const shownWithShift = /^[^a-z]$/i

/** Letters are given in lower case with Shift; characters such as `?` contain their Shift. */
export function describeKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return [
    ...(event.ctrlKey || event.metaKey ? ['Mod'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey && !shownWithShift.test(event.key) ? ['Shift'] : []),
    key,
  ].join('+')
}
