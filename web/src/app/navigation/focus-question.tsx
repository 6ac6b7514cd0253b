import {
  ChartColumn,
  GraduationCap,
  House,
  Library,
  Megaphone,
  MessagesSquare,
  PanelLeft,
  Settings,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useStore } from '../../api/store.ts'
import { changeUserPreferences } from '../../patterns/preferences/change-user-preferences.ts'
import { usePageTitle } from '../../patterns/use-page-title.ts'
import { useCommands } from '../../session/commands.ts'
import { useMe } from '../../session/me.ts'
import { navigationTexts as texts } from '../../texts/en/navigation-texts.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './focus-question.module.css'
import type { Focus } from './navigation-order.ts'
import { focusQuestion, previewedFocus, useNavigation } from './use-navigation.ts'

const choices: readonly { focus: Focus; icon: ReactNode; hue: string }[] = [
  { focus: 'sell', icon: <ChartColumn size={16} />, hue: 'info' },
  { focus: 'market', icon: <Megaphone size={16} />, hue: 'violet' },
  { focus: 'enable', icon: <Library size={16} />, hue: 'teal' },
  { focus: 'train', icon: <GraduationCap size={16} />, hue: 'warning' },
  { focus: 'support', icon: <MessagesSquare size={16} />, hue: 'success' },
  { focus: 'operate', icon: <Settings size={16} />, hue: 'neutral' },
]

/** Asks once what the user works on. The navigation shows the effect of a choice before it is saved. */
export function FocusQuestion() {
  usePageTitle(shellTexts.home)
  const { tenant } = useMe()
  const chosen = useStore(previewedFocus)
  const cards = useRef<HTMLFieldSetElement>(null)
  useEffect(
    () => () => {
      previewedFocus.set(undefined)
      document.getElementById('content')?.focus()
    },
    [],
  )
  const choose = (focus: Focus, at: number) => {
    previewedFocus.set(focus)
    cards.current?.querySelectorAll('button')[at]?.focus()
  }
  const save = () => void changeUserPreferences(() => ({ focus: chosen ?? null, collapsed: [] }))
  const postpone = () => void changeUserPreferences(({ collapsed }) => ({ collapsed: [...collapsed, focusQuestion] }))
  const confirm = (event: KeyboardEvent, focus: Focus) => {
    if (event.key !== 'Enter' || focus !== chosen) return
    event.preventDefault()
    save()
  }
  useCommands([
    ...choices.map(({ focus }, at) => ({
      id: `focus:${focus}`,
      label: texts.choose(texts.focuses[focus]),
      group: texts.group,
      keys: [`${at + 1}`],
      run: () => choose(focus, at),
    })),
    {
      id: 'focus:continue',
      label: texts.continue,
      group: texts.group,
      keys: ['Enter'],
      isAvailable: chosen !== undefined,
      run: save,
    },
  ])
  return (
    <div className={styles.page}>
      <section className={styles.content} aria-labelledby="focus-question">
        <p className={styles.soft}>{texts.welcome(tenant.name)}</p>
        <h1 id="focus-question">{texts.question}</h1>
        <p>{texts.explanation}</p>
        <fieldset ref={cards} className={styles.cards} aria-labelledby="focus-question">
          {choices.map(({ focus, icon, hue }, at) => (
            <button
              key={focus}
              type="button"
              className={styles.card}
              aria-pressed={focus === chosen}
              onClick={() => choose(focus, at)}
              onKeyDown={(event) => confirm(event, focus)}
            >
              <span className={`${styles.icon} ${styles[hue]}`}>{icon}</span>
              <span className={styles.name}>
                <b>{texts.focuses[focus]}</b>
                <span>{texts.descriptions[focus]}</span>
              </span>
              <Kbd keys={`${at + 1}`} />
            </button>
          ))}
        </fieldset>
        <Effect focus={chosen} />
        <footer className={styles.foot}>
          <p className={styles.soft}>{texts.later}</p>
          <Button variant="quiet" onClick={postpone}>
            {texts.notNow}
          </Button>
          <Button variant="primary" keys="Enter" disabled={!chosen} onClick={save}>
            {texts.continue}
          </Button>
        </footer>
      </section>
    </div>
  )
}

/** Names what the choice changes. */
function Effect({ focus }: { focus: Focus | undefined }) {
  const { groups } = useNavigation()
  const names = groups.filter(({ isOpen }) => isOpen).map(({ group }) => shellTexts.groups[group])
  const closed = groups.length - names.length
  return (
    <dl className={styles.effect}>
      <div>
        <House size={16} />
        <dt>{texts.homeFirst}</dt>
        <dd>{focus === 'market' ? texts.homeOf.market : texts.homeOf.others}</dd>
      </div>
      <div>
        <PanelLeft size={16} />
        <dt>{texts.openGroups}</dt>
        <dd>{closed ? texts.otherGroups(names.join(', '), closed) : names.join(', ')}</dd>
      </div>
    </dl>
  )
}
