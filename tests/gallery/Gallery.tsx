import { GALLERY_STATES } from './gallery-states.tsx';

/** Every part in every state. Each has a frame, for its own width, focus and dialog. */
export function Gallery() {
  const groups = [...new Set(GALLERY_STATES.map(({ part }) => part))];
  return (
    <main className="gallery">
      <h1>Gallery</h1>
      {groups.map((part) => (
        <section key={part}>
          <h2>{part}</h2>
          {GALLERY_STATES.filter((state) => state.part === part).map(({ name, height }) => (
            <figure key={name}>
              <figcaption>
                <a href={`?state=${name}`}>{name}</a>
              </figcaption>
              <iframe title={name} src={`?state=${name}`} height={height} loading="lazy" />
            </figure>
          ))}
        </section>
      ))}
    </main>
  );
}
