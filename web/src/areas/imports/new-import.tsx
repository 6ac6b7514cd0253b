import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { WizardFrame } from '../../patterns/wizard/wizard-frame.tsx'
import { can, useMe } from '../../session/me.ts'
import { importTexts as texts } from '../../texts/en/import-texts.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { UploadArea } from './file/upload-area.tsx'
import { importQuery } from './import-api.ts'
import styles from './imports.module.css'
import { toDraft } from './model/draft.ts'
import { steps } from './model/step-names.ts'
import { type RecordType, recordTypes } from './model/types.ts'

const route = getRouteApi('/imports/$type/$importId')

/** The first step of an import, which exists as soon as its file is uploaded. */
export function NewImport({ type }: { type: RecordType }) {
  const me = useMe()
  const navigate = useNavigate()
  const { after } = route.useSearch()
  const before = useQuery({ ...importQuery(type, after ?? ''), enabled: after !== undefined }).data
  const types = recordTypes.filter((one) => can(me, `${one}.write`))
  return (
    <WizardFrame
      list={{ to: '/imports', label: texts.list }}
      title={texts.newTitle[type]}
      steps={steps.map((step) => ({
        key: step,
        label: texts.steps[step],
        state: step === 'file' ? 'current' : 'ahead',
      }))}
    >
      <div className={styles.page}>
        <div className={styles.narrow}>
          {!after && types.length > 1 && (
            <section className={styles.card}>
              <RadioGroup
                label={texts.kindTitle}
                name="type"
                value={type}
                options={types.map((one) => ({ value: one, label: texts.kinds[one] }))}
                onChange={(chosen) =>
                  void navigate({
                    to: '/imports/$type/$importId',
                    params: { type: chosen, importId: 'new' },
                    replace: true,
                  })
                }
              />
            </section>
          )}
          <section className={styles.card}>
            <UploadArea
              type={type}
              label={texts.drop}
              hint={texts.dropHint}
              choices={before && toDraft(before)}
              isReplaced
            />
            <p className={styles.note}>{texts.nothingWritten}</p>
          </section>
        </div>
      </div>
    </WizardFrame>
  )
}
