import { Fragment } from 'react'
import { stepEditorTexts as texts } from '../../texts/en/step-editor-texts.ts'
import styles from './mail-preview.module.css'
import { splitMissing } from './template-text.ts'

type MailPreviewProps = {
  to: string
  subject: string
  body: string
  labelOf: (key: string) => string
  /** Whether the text contains the link for unsubscribing, which is added otherwise. */
  hasUnsubscribe: boolean
}

/** An email as one person would get it. Values that the person lacks are marked at their place. */
export function MailPreview({ to, subject, body, labelOf, hasUnsubscribe }: MailPreviewProps) {
  const paragraphs = body.split(/\r?\n(?:[\t ]*\r?\n)+/).filter((paragraph) => paragraph.trim() !== '')
  return (
    <div className={styles.mail}>
      <p className={styles.line}>
        <span>{texts.to}</span>
        <span>{to}</span>
      </p>
      <p className={styles.line}>
        <span>{texts.subject}</span>
        <b>
          <RenderedText text={subject} labelOf={labelOf} />
        </b>
      </p>
      <div className={styles.body}>
        {paragraphs.map((paragraph, at) => (
          <p key={at}>
            <RenderedText text={paragraph.trim()} labelOf={labelOf} />
          </p>
        ))}
        {!hasUnsubscribe && <p className={styles.added}>{texts.unsubscribe}</p>}
      </div>
    </div>
  )
}

const RenderedText = ({ text, labelOf }: { text: string; labelOf: (key: string) => string }) =>
  splitMissing(text).map((part, at) => (
    <Fragment key={at}>
      {part.missing ? <mark className={styles.missing}>{texts.isMissing(labelOf(part.missing))}</mark> : part.text}
    </Fragment>
  ))
