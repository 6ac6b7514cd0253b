import type { ReactNode } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { formatSince } from '../../ui/format.ts'
import styles from './cells.module.css'

type NameCellProps = { name: string; detail?: string | null; isCompany?: boolean }

export const NameCell = ({ name, detail, isCompany }: NameCellProps) => (
  <span className={styles.name}>
    <Avatar name={name} isCompany={isCompany} />
    <b>{name}</b>
    <span>{detail}</span>
  </span>
)

export const OwnerCell = ({ owner }: { owner: { name: string } | null }) => (
  <span className={styles.owner}>
    {owner ? (
      <>
        <Avatar name={owner.name} />
        <span>{owner.name}</span>
      </>
    ) : (
      <Muted>{listTexts.noOwner}</Muted>
    )}
  </span>
)

export const SinceCell = ({ at, now, locale }: { at: string | null; now: number; locale: string }) => (
  <Muted>{at ? formatSince(at, now, locale) : ''}</Muted>
)

export const Muted = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <span className={`${styles.muted} ${className}`}>{children}</span>
)

type RowCardProps = { name: string; isCompany?: boolean; figure?: ReactNode; detail: ReactNode; status: ReactNode }

export const RowCard = ({ name, isCompany, figure, detail, status }: RowCardProps) => (
  <div className={styles.card}>
    <Avatar name={name} size="card" isCompany={isCompany} />
    <b>{name}</b>
    <span className={styles.figure}>{figure}</span>
    <span className={styles.detail}>{detail}</span>
    <span className={styles.status}>{status}</span>
  </div>
)
