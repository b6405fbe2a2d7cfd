from ragsolver_verifier.pool_settings import PoolSettings


def test_a_pool_is_patient_by_default():
    settings = PoolSettings()
    assert settings.starts.first_delay_s < settings.starts.longest_delay_s
    assert settings.starts.tries > 1
