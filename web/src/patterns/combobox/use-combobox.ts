import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useSettled } from '../use-settled.ts'
import { actionOfKey } from './combobox-keys.ts'

/** A record that was found. Without an id it is a choice such as no owner, or the name of a record to create. */
export type Choice = {
  id: string | null
  name: string
  detail?: string | null
  /** Shown above the first of the choices that have it. */
  heading?: string
}

type ComboboxOptions = {
  initialText?: string
  /** The list is part of a dialog, which Escape closes. */
  staysOpen?: boolean
  queryKey: (text: string) => QueryKey
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
  first?: readonly Choice[]
  createLast?: (text: string, found: readonly Choice[]) => Choice | undefined
  pick: (choice: Choice) => void
}

type Typed = { text: string; activeId?: string | null; isOpen: boolean; isWaiting: boolean; isLeft?: boolean }

const none: readonly Choice[] = []

/** A field that searches records while the user types. Keys pick only what was found for the typed text. */
export function useCombobox(options: ComboboxOptions) {
  const { initialText = '', staysOpen = false, queryKey, find, first = none, createLast, pick } = options
  const id = useId()
  const [state, setState] = useState<Typed>({ text: initialText, isOpen: staysOpen, isWaiting: false })
  const { isOpen, isWaiting } = state
  const change = (changes: Partial<Typed>) => setState((before) => ({ ...before, ...changes }))
  const text = state.text.trim()
  const search = useSettled(text, isWaiting)
  const query = useQuery({
    queryKey: queryKey(search),
    queryFn: ({ signal }) => find(search, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const isSettled = search === text && !query.isPlaceholderData && (query.isSuccess || query.isError)
  const found = query.data ?? none
  const proposed = text === '' ? first : none
  const last = text !== '' && isSettled && query.isSuccess ? createLast?.(text, found) : undefined
  const choices = [
    ...proposed,
    ...found.filter((one) => !proposed.some((other) => other.id === one.id)),
    ...(last ? [last] : none),
  ]
  const certain = isSettled ? choices.length : proposed.length
  const active = Math.max(
    0,
    choices.findIndex((choice) => choice.id === state.activeId),
  )

  const choose = (choice: Choice | undefined) => {
    change({
      isWaiting: false,
      ...(choice && !staysOpen && { text: choice.name }),
      ...((choice || state.isLeft) && { isOpen: staysOpen }),
    })
    if (choice) pick(choice)
  }
  useEffect(() => {
    if (isWaiting && isSettled) choose(choices[active])
  }, [isWaiting, isSettled])

  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOfKey(event.key, { isOpen, active, certain, isSettled })
    if (!action || event.nativeEvent.isComposing || (action.kind === 'close' && staysOpen)) return
    event.preventDefault()
    if (action.kind === 'open') change({ isOpen: true })
    else if (action.kind === 'close') change({ isOpen: false, isWaiting: false })
    else if (action.kind === 'move') change({ activeId: choices[action.to]!.id })
    else if (action.kind === 'pick') choose(choices[action.at])
    else if (action.kind === 'wait') change({ isWaiting: true })
  }
  const listId = `${id}-list`
  return {
    query,
    isEmpty: isSettled && query.isSuccess && choices.length === 0,
    isOpen,
    field: {
      role: 'combobox' as const,
      'aria-autocomplete': 'list' as const,
      'aria-expanded': isOpen && choices.length > 0,
      'aria-controls': listId,
      'aria-activedescendant': isOpen && choices[active] ? `${id}-${active}` : undefined,
      value: state.text,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        setState({ text: target.value, isOpen: true, isWaiting: false }),
      // A choice that waits for its response is made also if the user goes on at once.
      onBlur: () => change({ isOpen: staysOpen || isWaiting, isLeft: true }),
      onFocus: () => change({ isLeft: false }),
      onKeyDown,
    },
    list: { id: listId, optionId: (at: number) => `${id}-${at}`, choices, active, isSettled, choose },
  }
}

export type ComboboxList = ReturnType<typeof useCombobox>['list']
