import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { stepEditorTexts as texts } from '../../texts/en/step-editor-texts.ts'
import { placePopup } from '../../ui/place-popup.ts'
import type { TemplateValue } from './template-values.ts'
import styles from './value-menu.module.css'

type ValueMenuProps = {
  id: string
  values: readonly TemplateValue[]
  active: number
  /** Returns the place at which the value is being typed. */
  findPlace: () => DOMRect
  choose: (value: TemplateValue) => void
}

export const optionId = (id: string, at: number): string => `${id}-${at}`

/** The values that can be inserted at the caret. The field keeps the focus and handles the keys. */
export function ValueMenu({ id, values, active, findPlace, choose }: ValueMenuProps) {
  const popup = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: 0, top: 0 })

  useLayoutEffect(() => {
    popup.current!.showPopover()
  }, [])
  useLayoutEffect(() => {
    const follow = () => {
      const screen = { width: innerWidth, height: innerHeight }
      setPlace(placePopup(findPlace(), popup.current!.getBoundingClientRect(), screen, 'start'))
    }
    follow()
    addEventListener('scroll', follow, true)
    return () => removeEventListener('scroll', follow, true)
  }, [values.length, findPlace])
  useEffect(() => {
    popup.current!.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div ref={popup} popover="manual" className={styles.menu} style={place}>
      {values.length === 0 && <p className={styles.none}>{texts.noValue}</p>}
      <div role="listbox" id={id} aria-label={texts.values}>
        {groupValues(values).map(({ group, first, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a part of a list of options
          <div key={group} role="group" aria-label={groupNames[group] ?? group}>
            <div className={styles.group} aria-hidden="true">
              {groupNames[group] ?? group}
            </div>
            {members.map((value, at) => (
              <Option
                key={value.key}
                id={optionId(id, first + at)}
                value={value}
                isActive={first + at === active}
                choose={() => choose(value)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

const groupNames: Readonly<Record<string, string>> = texts.groups

/** `values` are in the order of their groups. */
const groupValues = (values: readonly TemplateValue[]) =>
  [...Map.groupBy(values, ({ group }) => group)].map(([group, members]) => ({
    group,
    members,
    first: values.indexOf(members[0]!),
  }))

type OptionProps = { id: string; value: TemplateValue; isActive: boolean; choose: () => void }

const Option = ({ id, value, isActive, choose }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
  <div
    role="option"
    id={id}
    aria-selected={isActive}
    className={styles.option}
    onMouseDown={(event) => event.preventDefault()}
    onClick={choose}
  >
    <span>{value.label}</span>
    <code>{value.key}</code>
  </div>
)
