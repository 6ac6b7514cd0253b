import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { ProblemState } from '../../../../patterns/states.tsx'
import { MailPreview } from '../../../../patterns/step-editor/mail-preview.tsx'
import type { TemplateValue } from '../../../../patterns/step-editor/template-values.ts'
import { cadenceStepTexts as texts } from '../../../../texts/en/cadence-step-texts.ts'
import { textLanguage } from '../../../../texts/language.ts'
import { Avatar } from '../../../../ui/avatar.tsx'
import { IconButton } from '../../../../ui/button.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../../ui/menu.tsx'
import styles from '../step-panel.module.css'
import type { Preview } from './use-preview.ts'

const PersonDialog = lazyPart(() => import('./person-dialog.tsx'), 'PersonDialog')

type PreviewProps = { preview: Preview; values: readonly TemplateValue[] | undefined }

/** The email beside its text, as one of the people of the cadence gets it. */
export function StepPreview({ preview, values }: PreviewProps) {
  const [isSearching, setSearching] = useState(false)
  const { isAllowed, list, person, choose, goTo, missing } = preview
  if (!isAllowed) return null
  const labelOf = (key: string) => values?.find((value) => value.key === key)?.label ?? key
  return (
    <section aria-label={texts.preview}>
      <div className={styles.previewHead}>
        <h3 tabIndex={-1} data-preview>
          {texts.previewAs}
        </h3>
        {person && (
          <MenuButton
            label={`${texts.previewAs} ${person.name}`}
            variant="secondary"
            size="small"
            className={styles.person}
            icon={<Avatar name={person.name} size="tiny" />}
            items={[
              ...list.map((one) => ({
                kind: 'choice' as const,
                label: one.name,
                isChosen: one.id === person.id,
                run: () => choose(one),
              })),
              { kind: 'line' as const },
              { label: texts.otherPerson, run: () => setSearching(true) },
            ]}
          >
            <span>{person.name}</span>
          </MenuButton>
        )}
        {list.length > 1 && (
          <>
            <IconButton
              label={texts.previousPerson}
              icon={<ChevronLeft size={15} />}
              size="small"
              onClick={() => goTo(-1)}
            />
            <IconButton
              label={texts.nextPerson}
              icon={<ChevronRight size={15} />}
              size="small"
              onClick={() => goTo(1)}
            />
          </>
        )}
      </div>
      <Rendered preview={preview} labelOf={labelOf} />
      {person && missing.size > 0 && (
        <p className={styles.lack} role="status">
          <TriangleAlert size={14} aria-hidden="true" />
          {texts.lacks(person.name, listNames([...missing].map(labelOf)), texts.fallbackOf([...missing][0]!))}
        </p>
      )}
      {isSearching && <PersonDialog choose={choose} close={() => setSearching(false)} />}
    </section>
  )
}

const listNames = (names: readonly string[]): string =>
  new Intl.ListFormat(textLanguage(), { type: 'disjunction' }).format(names)

function Rendered({ preview, labelOf }: { preview: Preview; labelOf: (key: string) => string }) {
  const { people, person, isEmpty, hasProblem, rendered } = preview
  if (isEmpty) return <p className={styles.soft}>{texts.previewEmpty}</p>
  if (hasProblem) return <p className={styles.soft}>{texts.previewProblem}</p>
  const { error } = people.error ? people : rendered
  if (error) return <ProblemState error={error} part={texts.preview} retry={() => void rendered.refetch()} />
  if (people.data && !person) return <p className={styles.soft}>{texts.previewNobody}</p>
  const { data, isPlaceholderData } = rendered
  if (!data || !person) return <p className={styles.soft} aria-busy="true" />
  return (
    <div className={isPlaceholderData ? styles.stale : undefined}>
      <MailPreview
        to={person.email}
        subject={data.subject ?? ''}
        body={data.text ?? ''}
        labelOf={labelOf}
        hasUnsubscribe={preview.hasUnsubscribe}
      />
    </div>
  )
}
